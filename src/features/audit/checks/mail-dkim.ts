import { createPublicKey } from 'node:crypto';
import type { Check } from '../check.ts';
import { parseTags, readTexts } from '../dns-records.ts';
import { findMailRoute } from '../mail-route.ts';

/** A domain can name its keys as it likes, and only its mails tell how: these are the names of common mail services. */
const commonSelectors = [
  ...['default', 'dkim', 'mail', 'google', 'selector1', 'selector2', 's1', 's2', 'k1', 'k2', 'k3'],
  ...['fm1', 'sig1', 'protonmail', 'zoho', 'mandrill', 'key1', 'mxvault'],
];
/** RFC 8301: signers should use at least this many. */
const minKeyBits = 2048;

export const mailDkim: Check = {
  id: 'mail-dkim',
  group: 'mail',
  findings: {
    present: 'passed',
    testing: 'attention',
    'broken-key': 'attention',
    'short-key': 'attention',
    none: 'missing',
    'unknown-selector': 'not-measurable',
    'sends-no-mail': 'not-measurable',
  },
  async run({ domain, network: { dns } }) {
    const { domain: mailDomain } = await findMailRoute(dns, domain);
    const values = { domain: mailDomain, tried: commonSelectors.join(', ') };
    // RFC 8020: if this name does not exist, no name below it does.
    const { exists } = await dns.query(`_domainkey.${mailDomain}`, 'TXT');
    if (!exists) {
      const isSilent = (await readTexts(dns, mailDomain)).some(text => /^v=spf1\s+-all$/i.test(text));
      return { finding: isSilent ? 'sends-no-mail' : 'none', values };
    }
    const keys = await Promise.all(
      commonSelectors.map(async selector => {
        const [record] = (await readTexts(dns, `${selector}._domainkey.${mailDomain}`)).filter(isKey);
        return record === undefined ? [] : [{ selector, record, fault: findFault(record) }];
      }),
    );
    const found = keys.flat();
    if (found.length === 0) return { finding: 'unknown-selector', values };
    const faulty = found.find(({ fault }) => fault);
    return {
      finding: faulty?.fault ?? 'present',
      values: { ...values, selector: faulty?.selector ?? found.map(({ selector }) => selector).join(', ') },
      evidence: found.map(({ selector, record }) => `${selector}._domainkey: ${record}`),
    };
  },
};

/** An empty key is a revoked one. */
function isKey(record: string): boolean {
  return Boolean(parseTags(record).get('p'));
}

function findFault(record: string): string | undefined {
  const tags = parseTags(record);
  const key = Buffer.from(tags.get('p') ?? '', 'base64');
  if (/(^|:)\s*y\s*(:|$)/.test(tags.get('t') ?? '')) return 'testing';
  if (tags.get('k') === 'ed25519') return key.length === 32 ? undefined : 'broken-key';
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'der', type: 'spki' });
    return (asymmetricKeyDetails?.modulusLength ?? 0) < minKeyBits ? 'short-key' : undefined;
  } catch {
    return 'broken-key';
  }
}
