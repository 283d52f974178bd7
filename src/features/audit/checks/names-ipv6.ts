import { NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { findWebHost } from '../home-page.ts';

export const namesIpv6: Check = {
  id: 'names-ipv6',
  group: 'names',
  findings: { present: 'passed', none: 'missing' },
  async run({ domain, network }) {
    const host = await findWebHost({ domain, network });
    const [four, six] = await Promise.all([network.dns.query(host, 'A'), network.dns.query(host, 'AAAA')]);
    const evidence = six.records.map(({ text }) => `AAAA ${text}`);
    if (evidence.length > 0) return { finding: 'present', evidence };
    if (four.records.length === 0) throw new NetworkError('the website has no address');
    return { finding: 'none', values: { domain: host } };
  },
};
