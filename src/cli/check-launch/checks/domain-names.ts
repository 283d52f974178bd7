import { type Check, type CheckContext, failed, ready, recommended, required, serverOnly } from '../check.ts';
import { ConnectionRefused } from '../network.ts';
import { readSpf } from '../spf.ts';

const day = 86_400_000;
/** A working renewal happens earlier; a one-week certificate is renewed on its last day. */
const minRemainingMs = (lifeMs: number) => Math.min(10 * day, lifeMs / 8);
const minHstsDays = 30;

export const siteNameChecks: Check[] = [
  required('DNS', 'Visitors cannot find the site without an address record.', async ({ config, network }) => {
    const url = requireSiteUrl(config);
    const ips = await network.findIps(url.hostname);
    return ips.length > 0
      ? ready(`${url.hostname} is ${ips.join(', ')}`)
      : failed(`${url.hostname} has no address in DNS; add an A and an AAAA record`);
  }),
  required(
    'Certificate',
    'Browsers show a warning instead of the site.',
    async ({ config, network, now }) => {
      const url = requireSiteUrl(config);
      const { certificate } = await network.visit(url);
      const { issuer, from, until, problem } = certificate;
      if (problem) return failed(`the certificate at ${url.host} ${problem}`);
      const left = until.getTime() - now.getTime();
      const found = `from ${issuer}, for ${Math.floor(left / day)} more days`;
      return left < minRemainingMs(until.getTime() - from.getTime())
        ? failed(`${found}: automatic renewal does not work`)
        : ready(found);
    },
  ),
  required('Site online', 'The domain does not serve the site.', async ({ config, network }) => {
    const url = requireSiteUrl(config);
    try {
      const { status, text } = await network.visit(url);
      if (status !== 200) return failed(`${url.origin} answers ${status}`);
      return findCanonical(text) === `${url.origin}/`
        ? ready(`${url.origin} serves the site`)
        : failed(`${url.origin} serves something else, or a build for another SITE_URL`);
    } catch (error) {
      if (error instanceof ConnectionRefused)
        return failed(`${url.origin}: ${error.message}; start the site and its proxy`);
      throw error;
    }
  }),
  recommended(
    'HSTS',
    'Without Strict-Transport-Security a visit can begin unencrypted and be intercepted.',
    async ({ config, network }) => {
      const url = requireSiteUrl(config);
      const { hsts } = await network.visit(url);
      const seconds = Number(/max-age="?(\d+)/i.exec(hsts)?.[1] ?? 0);
      if (seconds === 0)
        return failed('no Strict-Transport-Security header: does the proxy forward the headers of the site?');
      const days = Math.floor(seconds / 86_400);
      return days < minHstsDays
        ? failed(`max-age is only ${days} days: does the proxy replace the header?`)
        : ready(`max-age is ${days} days; ${describeHstsScope(hsts)}`);
    },
  ),
  recommended(
    'HTTP to HTTPS redirect',
    'Links and addresses without https:// fail, or stay unencrypted.',
    async ({ config, network }) => {
      const url = requireSiteUrl(config);
      const { status, location } = await network.requestPlainHttp(url);
      const to = URL.parse(location);
      const isMoved =
        status >= 300 && status < 400 && to?.protocol === 'https:' && to.hostname === url.hostname;
      return isMoved
        ? ready(`http://${url.hostname} redirects with ${status}`)
        : failed(`http://${url.hostname} answers ${status}${location && ` and redirects to ${location}`}`);
    },
  ),
  recommended(
    'CAA',
    'Without it any certificate authority may issue a certificate for the domain.',
    async ({ config, network }) => {
      const { hostname } = requireSiteUrl(config);
      for (const name of listParentDomains(hostname)) {
        const issuers = await network.caaIssuers(name);
        // RFC 8659: the closest name with CAA records applies, and its parents are ignored.
        if (!issuers) continue;
        const named = issuers.filter(Boolean);
        if (named.length > 0) return ready(`${name} allows ${named.join(', ')}`);
        return failed(
          issuers.length > 0
            ? `${name} allows no authority: the certificate will not be renewed`
            : `the CAA records of ${name} have no issue tag, so every authority is allowed`,
        );
      }
      return failed(`${hostname} has no CAA record; add one for the authority of your certificate`);
    },
  ),
];

export const mailNameChecks = serverOnly(
  recommended(
    'SPF',
    'Without it mails are treated as spam, and others can send in your name.',
    async ({ config, network }) => {
      const domain = requireSenderDomain(config);
      const { record, problem } = await readSpf(domain, network.txtRecords);
      return problem ? failed(problem) : ready(record);
    },
  ),
  recommended(
    'DMARC',
    'Large mail providers reject newsletters from senders without it.',
    async ({ config, network }) => {
      const domain = requireSenderDomain(config);
      for (const name of listParentDomains(domain)) {
        const records = (await network.txtRecords(`_dmarc.${name}`)).filter(text =>
          /^v=DMARC1\s*(;|$)/i.test(text),
        );
        const [record = ''] = records;
        if (records.length > 1)
          return failed(`_dmarc.${name} has ${records.length} records; more than one is invalid`);
        if (records.length === 0) continue;
        return /;\s*p\s*=\s*(none|quarantine|reject)\b/i.test(record)
          ? ready(record)
          : failed(`'${record}' has no policy; add p=quarantine, or p=none to monitor first`);
      }
      return failed(`_dmarc.${domain} has no TXT record that begins with v=DMARC1`);
    },
  ),
);

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

function listParentDomains(name: string): string[] {
  const parts = name.split('.');
  return parts.length < 2 ? [name] : parts.slice(0, -1).map((_, index) => parts.slice(index).join('.'));
}

function describeHstsScope(hsts: string): string {
  if (/preload/i.test(hsts)) return 'it can be submitted to the preload list';
  if (/includeSubDomains/i.test(hsts)) return 'subdomains are included; HSTS=preload is the next step';
  return 'once every subdomain uses HTTPS, set HSTS=subdomains';
}
