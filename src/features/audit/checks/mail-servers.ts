import { findIps } from '../../../core/network/dns-client.ts';
import type { Check } from '../check.ts';
import { findMailRoute } from '../mail-route.ts';

export const mailServers: Check = {
  id: 'mail-servers',
  group: 'mail',
  findings: {
    present: 'passed',
    'refuses-mail': 'passed',
    unresolved: 'attention',
    none: 'attention',
  },
  async run({ domain, network: { dns } }) {
    const { servers, answer } = await findMailRoute(dns, domain);
    const evidence = answer.records.map(({ text }) => `MX ${text}`);
    if (servers.length === 0) return { finding: 'none' };
    if (servers.includes('.')) return { finding: 'refuses-mail', evidence };
    const ips = await Promise.all(servers.slice(0, 5).map(server => findIps(dns, server)));
    const lost = servers[ips.findIndex(found => found.length === 0)];
    if (lost !== undefined) return { finding: 'unresolved', values: { server: lost }, evidence };
    return { finding: 'present', values: { servers: servers.join(', ') }, evidence };
  },
};
