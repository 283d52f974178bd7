import { type Check, type Facts, type Finding, missing, notChecked, ready } from '../check.ts';
import { isRefused, isWithoutAddress } from '../network.ts';
import { readSpf } from '../spf.ts';

const day = 86_400_000;
/** What is renewed later than this is forgotten; of one that lives for a week, that is the last day. */
const leastLeft = (lifeMs: number) => Math.min(10 * day, lifeMs / 8);
const leastHstsDays = 30;

/** What the world finds under the site's name. */
export const siteNameLines: Check[] = [
  {
    name: 'Name of the site',
    level: 'must',
    why: 'Without an address in DNS nobody finds the site.',
    look: withSite(async (url, { network }) => {
      const addresses = await network.addresses(url.hostname);
      return addresses.length > 0
        ? ready(`${url.hostname} is ${addresses.join(', ')}`)
        : missing(`${url.hostname} has no address in DNS; add an A and an AAAA record`);
    }),
  },
  {
    name: 'Certificate',
    level: 'must',
    why: 'Browsers stop visitors with a warning.',
    look: withSite(async (url, { network, now }) => {
      const { certificate } = await network.visit(url);
      const { issuer, from, until, doubt } = certificate;
      if (doubt) return missing(`the certificate at ${url.host} ${doubt}`);
      const left = until.getTime() - now.getTime();
      const found = `from ${issuer}, for ${Math.floor(left / day)} more days`;
      return left < leastLeft(until.getTime() - from.getTime())
        ? missing(`${found}: its renewal does not work`)
        : ready(found);
    }),
  },
  {
    name: 'Answer of the site',
    level: 'must',
    why: 'The name leads to something that is not the site, or that does not run.',
    look: withSite(async (url, { network }) => {
      try {
        const { status, text } = await network.visit(url);
        if (status !== 200) return missing(`${url.origin} answers ${status}`);
        return findCanonical(text) === `${url.origin}/`
          ? ready(`${url.origin} answers with the site`)
          : missing(`${url.origin} answers with something else, or with a build for another SITE_URL`);
      } catch (error) {
        if (isRefused(error))
          return missing(`${url.origin} gives ${error.message}: start the site and its proxy`);
        throw error;
      }
    }),
  },
  {
    name: 'HTTPS from the first byte',
    level: 'should',
    why: 'Without Strict-Transport-Security a visit can begin in the clear, and be led elsewhere.',
    look: withSite(async (url, { network }) => {
      const { hsts } = await network.visit(url);
      const seconds = Number(/max-age="?(\d+)/i.exec(hsts)?.[1] ?? 0);
      if (seconds === 0)
        return missing('no Strict-Transport-Security arrives: does the proxy pass our headers on?');
      const days = Math.floor(seconds / 86_400);
      return days < leastHstsDays
        ? missing(`browsers remember it for ${days} days only: does the proxy replace our header?`)
        : ready(`browsers remember it for ${days} days; ${describeReach(hsts)}`);
    }),
  },
  {
    name: 'Way from HTTP to HTTPS',
    level: 'should',
    why: 'Old links and hurried visitors end at nothing, or stay in the clear.',
    look: withSite(async (url, { network }) => {
      const { status, location } = await network.knock(url);
      const to = URL.parse(location);
      const isMoved =
        status >= 300 && status < 400 && to?.protocol === 'https:' && to.hostname === url.hostname;
      return isMoved
        ? ready(`http://${url.hostname} moves on with ${status}`)
        : missing(`http://${url.hostname} answers ${status}${location && ` and leads to ${location}`}`);
    }),
  },
  {
    name: 'CAA',
    level: 'should',
    why: 'Any authority of the world may make a certificate for the name.',
    look: withSite(async ({ hostname }, { network }) => {
      for (const name of climb(hostname)) {
        const issuers = await network.issuers(name);
        // The first name that has any is the one that counts, whatever stands further up.
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
    }),
  },
];

/** What other mail servers find under the sender's name. */
export const mailNameLines: Check[] = [
  {
    name: 'SPF',
    level: 'should',
    isOfServer: true,
    why: 'Mails to readers end among spam, and anybody can send in your name.',
    look: withSender(async (domain, { network }) => {
      const { record, doubt } = await readSpf(domain, network.texts);
      return doubt ? missing(doubt) : ready(record);
    }),
  },
  {
    name: 'DMARC',
    level: 'should',
    isOfServer: true,
    why: 'Large mail providers turn away newsletters of senders without it.',
    look: withSender(async (domain, { network }) => {
      for (const name of climb(domain)) {
        const records = (await network.texts(`_dmarc.${name}`)).filter(text =>
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
    }),
  },
];

function withSite(look: (url: URL, facts: Facts) => Promise<Finding>): Check['look'] {
  return async facts => {
    const url = URL.parse(facts.config.siteUrl ?? '');
    if (!url) return notChecked('SITE_URL is not set');
    if (url.protocol !== 'https:') return notChecked('SITE_URL does not begin with https://');
    return look(url, facts).catch(error => {
      if (isWithoutAddress(error)) return notChecked(`${url.hostname} has no address yet`);
      throw error;
    });
  };
}

function withSender(look: (domain: string, facts: Facts) => Promise<Finding>): Check['look'] {
  return async facts => {
    const { from } = facts.config.mail;
    const domain = from.slice(from.lastIndexOf('@') + 1);
    return domain === 'localhost' ? notChecked('no mail leaves this machine yet') : look(domain, facts);
  };
}

/** The address that the page gives itself, as ours does. */
function findCanonical(page: string): string | undefined {
  const link = (page.match(/<link\b[^>]*>/gi) ?? []).find(tag => /\brel="?canonical\b/i.test(tag));
  return /\bhref="([^"]*)"/i.exec(link ?? '')?.[1];
}

/** The name, its parent and so on, but for the last part, which is nobody's own. */
function climb(name: string): string[] {
  const parts = name.split('.');
  return parts.length < 2 ? [name] : parts.slice(0, -1).map((_, index) => parts.slice(index).join('.'));
}

/** The next step, for whoever wants to take it. */
function describeReach(hsts: string): string {
  if (/preload/i.test(hsts)) return 'it may be put on the list that browsers carry';
  if (/includeSubDomains/i.test(hsts))
    return 'every name under it is included; HSTS=preload is the next step';
  return 'once every name under it speaks HTTPS, HSTS=subdomains includes them';
}
