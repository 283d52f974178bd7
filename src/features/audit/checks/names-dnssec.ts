import { isBogus, NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { assertValidating, queryParents } from '../dns-records.ts';

export const namesDnssec: Check = {
  id: 'names-dnssec',
  group: 'names',
  findings: { signed: 'passed', 'no-ds': 'attention', unsigned: 'missing', bogus: 'failed' },
  async run({ domain, network: { dns } }) {
    const zone = await queryParents(dns, domain, 'SOA').catch(error => {
      if (isBogus(error)) return 'bogus' as const;
      throw error;
    });
    if (zone === 'bogus') {
      const evidence = [`${domain} SOA: SERVFAIL with checking of signatures, an answer without`];
      return { finding: 'bogus', values: { zone: domain }, evidence };
    }
    if (!zone) throw new NetworkError('this domain has no zone in DNS');
    const { owner, answer } = zone;
    const keys = await dns.query(owner, 'DNSKEY');
    const evidence = keys.records.map(({ text }) => `DNSKEY ${text}`);
    if (answer.authenticated) return { finding: 'signed', values: { zone: owner }, evidence };
    await assertValidating(dns);
    return { finding: keys.records.length > 0 ? 'no-ds' : 'unsigned', values: { zone: owner }, evidence };
  },
};
