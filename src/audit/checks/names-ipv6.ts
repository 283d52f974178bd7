import type { Check } from '../check.ts';
import { NetworkError } from '../net/network-error.ts';

export const namesIpv6: Check = {
  id: 'names-ipv6',
  group: 'names',
  findings: { present: 'passed', none: 'missing' },
  async run({ domain, network: { dns } }) {
    const [four, six] = await Promise.all([dns.query(domain, 'A'), dns.query(domain, 'AAAA')]);
    const evidence = six.records.map(({ text }) => `AAAA ${text}`);
    if (evidence.length > 0) return { finding: 'present', evidence };
    if (four.records.length === 0) throw new NetworkError('the domain has no address');
    return { finding: 'none', values: { domain } };
  },
};
