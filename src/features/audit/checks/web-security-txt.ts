import { NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { findWebHost, readHeaders } from '../home-page.ts';

export const webSecurityTxt: Check = {
  id: 'web-security-txt',
  group: 'web',
  findings: {
    valid: 'passed',
    expired: 'attention',
    'without-expiry': 'attention',
    'without-contact': 'attention',
    none: 'missing',
  },
  async run({ domain, network, now }) {
    const host = await findWebHost({ domain, network });
    const values = { host, expires: formatNextExpiry(now) };
    const { page } = await network.fetchFollowing(`https://${host}/.well-known/security.txt`);
    const [type = ''] = readHeaders(page, 'content-type');
    const isText = page.status === 200 && /^text\/plain\b/i.test(type);
    if (page.status === 404 || page.status === 410 || (page.status === 200 && !isText))
      return { finding: 'none', values };
    if (!isText) throw new NetworkError(`${page.url} answered with status ${page.status}`);
    const fields = readFields(page.body);
    const contacts = fields.filter(([name]) => name === 'contact').map(([, value]) => value);
    const expiry = fields.find(([name]) => name === 'expires')?.[1];
    const evidence = [
      page.url,
      ...contacts.map(contact => `Contact: ${contact}`),
      ...(expiry ? [`Expires: ${expiry}`] : []),
    ];
    if (contacts.length === 0) return { finding: 'without-contact', values, evidence };
    const until = new Date(expiry ?? '');
    if (Number.isNaN(until.getTime())) return { finding: 'without-expiry', values, evidence };
    return { finding: until < now ? 'expired' : 'valid', values, evidence };
  },
};

/** The last midnight of the year from now: RFC 9116 recommends less than a year. */
function formatNextExpiry(now: Date): string {
  const next = new Date(now.getTime() + 365 * 86_400_000);
  return `${next.toISOString().slice(0, 10)}T00:00:00Z`;
}

/** RFC 9116: a field a line; comments begin with a hash. */
function readFields(body: string): [name: string, value: string][] {
  return body.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name = '', value = ''] = /^([a-z-]+)\s*:\s*(\S.*)$/i.exec(line.trim()) ?? [];
    return name ? [[name.toLowerCase(), value]] : [];
  });
}
