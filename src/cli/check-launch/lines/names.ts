import { type Check, type Facts, type Finding, missing, notChecked, ready } from '../check.ts';
import { isWithoutAddress } from '../network.ts';

const leastDays = 10;

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
      const { issuer, until, doubt } = certificate;
      if (doubt) return missing(`the certificate at ${url.host} ${doubt}`);
      const days = Math.floor((until.getTime() - now.getTime()) / 86_400_000);
      const found = `from ${issuer}, for ${days} more days`;
      return days < leastDays ? missing(`${found}: its renewal does not work`) : ready(found);
    }),
  },
  {
    name: 'Answer of the site',
    level: 'must',
    why: 'The name leads to something that is not the site, or that does not run.',
    look: withSite(async (url, { network }) => {
      const { status } = await network.visit(url);
      return status === 200 ? ready(`${url.origin} answers 200`) : missing(`${url.origin} answers ${status}`);
    }),
  },
  {
    name: 'HTTPS from the first byte',
    level: 'should',
    why: 'Without Strict-Transport-Security a visit can begin in the clear, and be led elsewhere.',
    look: withSite(async (url, { network }) => {
      const { hsts } = await network.visit(url);
      const seconds = Number(/max-age="?(\d+)/i.exec(hsts)?.[1] ?? 0);
      return seconds > 0
        ? ready(`browsers remember it for ${Math.round(seconds / 86_400)} days`)
        : missing('the proxy sends no Strict-Transport-Security; deploy/ shows how');
    }),
  },
  {
    name: 'Way from HTTP to HTTPS',
    level: 'should',
    why: 'Old links and hurried visitors end at nothing, or stay in the clear.',
    look: withSite(async (url, { network }) => {
      const { status, location } = await network.knock(url);
      const isMoved = status >= 300 && status < 400 && location.startsWith(`https://${url.hostname}`);
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
        if (issuers.length > 0) return ready(`${name} allows ${issuers.join(', ')}`);
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
      const records = (await network.texts(domain)).filter(text => /^v=spf1( |$)/i.test(text));
      const [record = ''] = records;
      if (records.length === 0) return missing(`${domain} has no TXT record that begins with v=spf1`);
      if (records.length > 1)
        return missing(`${domain} has ${records.length} SPF records, which counts as none`);
      return /(^|\s)([-~]all|redirect=\S+)(\s|$)/i.test(record)
        ? ready(record)
        : missing(`'${record}' forbids nobody; end it with ~all or -all`);
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

/** The name, its parent and so on, but for the last part, which is nobody's own. */
function climb(name: string): string[] {
  const parts = name.split('.');
  return parts.length < 2 ? [name] : parts.slice(0, -1).map((_, index) => parts.slice(index).join('.'));
}
