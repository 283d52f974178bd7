import { NetworkError } from '../../../../core/network/network-error.ts';
import { findCheckWords } from '../../../../features/audit/audit-words.ts';
import type { Check as AuditCheck } from '../../../../features/audit/check.ts';
import { mailDmarc } from '../../../../features/audit/checks/mail-dmarc.ts';
import { checkSpf, mailSpf } from '../../../../features/audit/checks/mail-spf.ts';
import { namesCaa } from '../../../../features/audit/checks/names-caa.ts';
import { webCertificate } from '../../../../features/audit/checks/web-certificate.ts';
import { webHsts } from '../../../../features/audit/checks/web-hsts.ts';
import { webRedirect } from '../../../../features/audit/checks/web-redirect.ts';
import { findIps } from '../../../../features/audit/dns-records.ts';
import { createResult } from '../../../../features/audit/run-audit.ts';
import {
  type Check,
  type CheckContext,
  type CheckResult,
  failed,
  notChecked,
  ready,
  recommended,
  required,
  serverOnly,
} from '../check.ts';

export const siteNameChecks: Check[] = [
  required('DNS', 'Visitors cannot find the site without an address record.', async ({ config, network }) => {
    const { hostname } = requireSiteUrl(config);
    const ips = await findIps(network.dns, hostname);
    return ips.length > 0
      ? ready(`${hostname} is ${ips.join(', ')}`)
      : failed(`${hostname} has no address in DNS`, 'add an A and an AAAA record');
  }),
  required('Certificate', 'Browsers show a warning instead of the site.', context =>
    runAuditCheck(webCertificate, context, requireSiteUrl(context.config).hostname),
  ),
  required('Site online', 'The domain does not serve the site.', async ({ config, network }) => {
    const { origin, hostname } = requireSiteUrl(config);
    try {
      const { status, body } = await network.fetch(`https://${hostname}/`);
      if (status !== 200) return failed(`${origin} answers ${status}`);
      return findCanonical(body) === `${origin}/`
        ? ready(`${origin} serves the site`)
        : failed(`${origin} serves something else, or a build for another SITE_URL`);
    } catch (error) {
      if (error instanceof NetworkError && error.kind === 'refused')
        return failed(`${origin}: ${error.message}`, 'start the site and its proxy');
      throw error;
    }
  }),
  recommended(
    'HSTS',
    'Without Strict-Transport-Security a visit can begin unencrypted and be intercepted.',
    context => runAuditCheck(webHsts, context, requireSiteUrl(context.config).hostname),
  ),
  recommended(
    'HTTP to HTTPS redirect',
    'Links and addresses without https:// fail, or stay unencrypted.',
    context => runAuditCheck(webRedirect, context, requireSiteUrl(context.config).hostname),
  ),
  recommended(
    'CAA',
    'Without it any certificate authority may issue a certificate for the domain.',
    context => runAuditCheck(namesCaa, context, requireSiteUrl(context.config).hostname),
  ),
];

/** Of the sender's very domain, which may receive no mail. */
const senderSpf: AuditCheck = {
  ...mailSpf,
  run: ({ domain, network }) => checkSpf(network.dns, domain),
};

export const mailNameChecks = serverOnly(
  recommended('SPF', 'Without it mails are treated as spam, and others can send in your name.', context =>
    runAuditCheck(senderSpf, context, requireSenderDomain(context.config)),
  ),
  // A policy that only watches is enough for mail providers, and the right beginning.
  recommended('DMARC', 'Large mail providers reject newsletters from senders without it.', context =>
    runAuditCheck(mailDmarc, context, requireSenderDomain(context.config), [
      ...['monitoring', 'partial', 'testing', 'weak-subdomains'],
    ]),
  ),
);

/** `accepted` are findings that an audit would improve, and that keep no site from going live. */
async function runAuditCheck(
  check: AuditCheck,
  { network, now, siteContent: { content } }: CheckContext,
  domain: string,
  accepted: readonly string[] = [],
): Promise<CheckResult> {
  const result = createResult(check, await check.run({ domain, network, now }));
  // Without valid words the finding names itself: 'expired', 'none'.
  const { text, fix } = content
    ? findCheckWords(content.audit, result, domain)
    : { text: result.finding, fix: undefined };
  const seen = result.evidence.slice(0, 2).join('; ');
  const detail = `${text.replace(/\.$/, '')}${seen && ` (${seen})`}`;
  if (result.status === 'not-measurable') return notChecked(detail);
  if (result.status === 'passed' || accepted.includes(result.finding)) return ready(detail);
  return failed(detail, fix);
}

function requireSiteUrl({ siteUrl }: CheckContext['config']): URL {
  const url = URL.parse(siteUrl ?? '');
  if (!url) throw new Error('SITE_URL is not set');
  if (url.protocol !== 'https:') throw new Error('SITE_URL does not begin with https://');
  return url;
}

function requireSenderDomain({ mail: { from } }: CheckContext['config']): string {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  if (domain === 'localhost') throw new Error('no mail sender is configured yet');
  return domain;
}

function findCanonical(page: string): string | undefined {
  const link = (page.match(/<link\b[^>]*>/gi) ?? []).find(tag => /\brel="?canonical\b/i.test(tag));
  return /\bhref="([^"]*)"/i.exec(link ?? '')?.[1];
}
