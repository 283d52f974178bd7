import { type Check, type Facts, missing, must, ready, serverOnly, should } from '../check.ts';
import { ConnectionRefused } from '../network.ts';
import { readSpf } from '../spf.ts';

const day = 86_400_000;
/** Renewal comes earlier than this; a certificate of one week is renewed in its last day. */
const minRemainingMs = (lifeMs: number) => Math.min(10 * day, lifeMs / 8);
const minHstsDays = 30;

export const siteNameChecks: Check[] = [
  must(
    'Name of the site',
    'Without an address in DNS nobody finds the site.',
    async ({ config, network }) => {
      const url = requireSiteUrl(config);
      const addresses = await network.addresses(url.hostname);
      return addresses.length > 0
        ? ready(`${url.hostname} is ${addresses.join(', ')}`)
        : missing(`${url.hostname} has no address in DNS; add an A and an AAAA record`);
    },
  ),
  must('Certificate', 'Browsers stop visitors with a warning.', async ({ config, network, now }) => {
    const url = requireSiteUrl(config);
    const { certificate } = await network.visit(url);
    const { issuer, from, until, problem } = certificate;
    if (problem) return missing(`the certificate at ${url.host} ${problem}`);
    const left = until.getTime() - now.getTime();
    const found = `from ${issuer}, for ${Math.floor(left / day)} more days`;
    return left < minRemainingMs(until.getTime() - from.getTime())
      ? missing(`${found}: its renewal does not work`)
      : ready(found);
  }),
  must(
    'Answer of the site',
    'The name leads to something that is not the site, or that does not run.',
    async ({ config, network }) => {
      const url = requireSiteUrl(config);
      try {
        const { status, text } = await network.visit(url);
        if (status !== 200) return missing(`${url.origin} answers ${status}`);
        return findCanonical(text) === `${url.origin}/`
          ? ready(`${url.origin} answers with the site`)
          : missing(`${url.origin} answers with something else, or with a build for another SITE_URL`);
      } catch (error) {
        if (error instanceof ConnectionRefused)
          return missing(`${url.origin} gives ${error.message}: start the site and its proxy`);
        throw error;
      }
    },
  ),
  should(
    'HTTPS from the first byte',
    'Without Strict-Transport-Security a visit can begin in the clear, and be led elsewhere.',
    async ({ config, network }) => {
      const url = requireSiteUrl(config);
      const { hsts } = await network.visit(url);
      const seconds = Number(/max-age="?(\d+)/i.exec(hsts)?.[1] ?? 0);
      if (seconds === 0)
        return missing('no Strict-Transport-Security arrives: does the proxy pass our headers on?');
      const days = Math.floor(seconds / 86_400);
      return days < minHstsDays
        ? missing(`browsers remember it for ${days} days only: does the proxy replace our header?`)
        : ready(`browsers remember it for ${days} days; ${describeHstsScope(hsts)}`);
    },
  ),
  should(
    'Way from HTTP to HTTPS',
    'Old links and hurried visitors end at nothing, or stay in the clear.',
    async ({ config, network }) => {
      const url = requireSiteUrl(config);
      const { status, location } = await network.requestPlainHttp(url);
      const to = URL.parse(location);
      const isMoved =
        status >= 300 && status < 400 && to?.protocol === 'https:' && to.hostname === url.hostname;
      return isMoved
        ? ready(`http://${url.hostname} moves on with ${status}`)
        : missing(`http://${url.hostname} answers ${status}${location && ` and leads to ${location}`}`);
    },
  ),
  should(
    'CAA',
    'Any authority of the world may make a certificate for the name.',
    async ({ config, network }) => {
      const { hostname } = requireSiteUrl(config);
      for (const name of listParentDomains(hostname)) {
        const issuers = await network.caaIssuers(name);
        // RFC 8659: the first name with CAA records counts, whatever its parents say.
        if (!issuers) continue;
        const named = issuers.filter(Boolean);
        if (named.length > 0) return ready(`${name} allows ${named.join(', ')}`);
        return missing(
          issuers.length > 0
            ? `${name} allows nobody at all: the certificate will not be renewed`
            : `the CAA records of ${name} name nobody with issue, so they allow everybody`,
        );
      }
      return missing(`${hostname} has no CAA record; add one that names the authority of your certificate`);
    },
  ),
];

export const mailNameChecks = serverOnly(
  should(
    'SPF',
    'Mails to readers end among spam, and anybody can send in your name.',
    async ({ config, network }) => {
      const domain = requireSenderDomain(config);
      const { record, problem } = await readSpf(domain, network.txtRecords);
      return problem ? missing(problem) : ready(record);
    },
  ),
  should(
    'DMARC',
    'Large mail providers turn away newsletters of senders without it.',
    async ({ config, network }) => {
      const domain = requireSenderDomain(config);
      for (const name of listParentDomains(domain)) {
        const records = (await network.txtRecords(`_dmarc.${name}`)).filter(text =>
          /^v=DMARC1\s*(;|$)/i.test(text),
        );
        const [record = ''] = records;
        if (records.length > 1)
          return missing(`_dmarc.${name} has ${records.length} records, which counts as none`);
        if (records.length === 0) continue;
        return /;\s*p\s*=\s*(none|quarantine|reject)\b/i.test(record)
          ? ready(record)
          : missing(`'${record}' has no policy; add p=quarantine, or p=none to watch first`);
      }
      return missing(`_dmarc.${domain} has no TXT record that begins with v=DMARC1`);
    },
  ),
);

function requireSiteUrl({ siteUrl }: Facts['config']): URL {
  const url = URL.parse(siteUrl ?? '');
  if (!url) throw new Error('SITE_URL is not set');
  if (url.protocol !== 'https:') throw new Error('SITE_URL does not begin with https://');
  return url;
}

function requireSenderDomain({ mail: { from } }: Facts['config']): string {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  if (domain === 'localhost') throw new Error('no mail leaves this machine yet');
  return domain;
}

function findCanonical(page: string): string | undefined {
  const link = (page.match(/<link\b[^>]*>/gi) ?? []).find(tag => /\brel="?canonical\b/i.test(tag));
  return /\bhref="([^"]*)"/i.exec(link ?? '')?.[1];
}

/** The name and its parents, without the top-level domain. */
function listParentDomains(name: string): string[] {
  const parts = name.split('.');
  return parts.length < 2 ? [name] : parts.slice(0, -1).map((_, index) => parts.slice(index).join('.'));
}

function describeHstsScope(hsts: string): string {
  if (/preload/i.test(hsts)) return 'it may be put on the list that browsers carry';
  if (/includeSubDomains/i.test(hsts))
    return 'every name under it is included; HSTS=preload is the next step';
  return 'once every name under it speaks HTTPS, HSTS=subdomains includes them';
}
