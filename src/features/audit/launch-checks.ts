import {
  below,
  type CheckResult,
  failed,
  type LaunchCheck,
  notChecked,
  online,
  ready,
  recommended,
  required,
  serverOnly,
} from '../../core/launch/check.ts';
import { places } from '../../core/launch/places.ts';
import { requireSiteUrl } from '../../core/launch/require-site-url.ts';
import type { AuditNetwork } from '../../core/network/network.ts';
import { findCheckWords } from './audit-words.ts';
import type { Check as AuditCheck } from './check.ts';
import { mailDmarc } from './checks/mail-dmarc.ts';
import { checkSpf, mailSpf } from './checks/mail-spf.ts';
import { namesCaa } from './checks/names-caa.ts';
import { webCertificate } from './checks/web-certificate.ts';
import { webHsts } from './checks/web-hsts.ts';
import { webRedirect } from './checks/web-redirect.ts';
import { createResult } from './run-audit.ts';
import type { Audit } from './schemas/audit.ts';

type Context = {
  config: { siteUrl?: string | undefined; mail: { from: string } };
  siteContent: { content?: { audit: Audit } | undefined };
  network: AuditNetwork;
  now: Date;
};

/** Of the sender's very domain, which may receive no mail. */
const senderSpf: AuditCheck = {
  ...mailSpf,
  run: ({ domain, network }) => checkSpf(network.dns, domain),
};

/** Of the owner's own site. */
export const ownDomainChecks: LaunchCheck<Context>[] = online<Context>(
  ...below<Context>(
    'DNS',
    required('Certificate', 'Browsers show a warning instead of the site.', places.server, context =>
      runAuditCheck(webCertificate, context, requireSiteUrl(context.config).hostname),
    ),
  ),
  ...below<Context>(
    'Site online',
    recommended(
      'HSTS',
      'Without Strict-Transport-Security a visit can begin unencrypted and be intercepted.',
      places.setting('HSTS'),
      context => runAuditCheck(webHsts, context, requireSiteUrl(context.config).hostname),
    ),
    recommended(
      'HTTP to HTTPS redirect',
      'Links and addresses without https:// fail, or stay unencrypted.',
      places.server,
      context => runAuditCheck(webRedirect, context, requireSiteUrl(context.config).hostname),
    ),
    recommended(
      'CAA',
      'Without it any certificate authority may issue a certificate for the domain.',
      places.domain,
      context => runAuditCheck(namesCaa, context, requireSiteUrl(context.config).hostname),
    ),
  ),
  ...below<Context>(
    'CAA',
    ...serverOnly<Context>(
      recommended(
        'SPF',
        'Without it mails are treated as spam, and others can send in your name.',
        places.domain,
        context => runAuditCheck(senderSpf, context, requireSenderDomain(context.config)),
      ),
      // A policy that only watches is enough for mail providers, and the right beginning.
      recommended(
        'DMARC',
        'Large mail providers reject newsletters from senders without it.',
        places.domain,
        context =>
          runAuditCheck(mailDmarc, context, requireSenderDomain(context.config), [
            ...['monitoring', 'partial', 'testing', 'weak-subdomains'],
          ]),
      ),
    ),
  ),
);

/** `accepted` are findings that an audit would improve, and that keep no site from going live. */
async function runAuditCheck(
  check: AuditCheck,
  { network, now, siteContent: { content } }: Context,
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

function requireSenderDomain({ mail: { from } }: Context['config']): string {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  if (domain === 'localhost') throw new Error('no mail sender is configured yet');
  return domain;
}
