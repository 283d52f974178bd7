import { findIps } from '../../../core/network/dns-client.ts';
import { NetworkError } from '../../../core/network/network-error.ts';
import type { Check } from '../check.ts';
import { queryParents } from '../dns-records.ts';

export const namesServers: Check = {
  id: 'names-servers',
  group: 'names',
  findings: {
    spread: 'passed',
    'same-network': 'attention',
    unresolved: 'attention',
    single: 'attention',
  },
  async run({ domain, network: { dns } }) {
    const found = await queryParents(dns, domain, 'NS');
    if (!found) throw new NetworkError('no name server is listed for this domain');
    const servers = found.answer.records.map(({ data }) => String(data).toLowerCase().replace(/\.$/, ''));
    const evidence = servers.map(server => `NS ${server}`);
    const [first = ''] = servers;
    if (servers.length === 1) return { finding: 'single', values: { server: first }, evidence };
    const ips = await Promise.all(servers.slice(0, 8).map(server => findIps(dns, server)));
    const lost = servers[ips.findIndex(own => own.length === 0)];
    if (lost !== undefined) return { finding: 'unresolved', values: { server: lost }, evidence };
    // Each family by itself: two servers in one place have two networks, one of each.
    const families = Map.groupBy(ips.flat(), ip => ip.includes(':'));
    const networks = [...families.values()].map(own => new Set(own.map(getNetwork)));
    const [sample = ''] = networks[0] ?? [];
    return {
      finding: networks.some(({ size }) => size > 1) ? 'spread' : 'same-network',
      values: { count: String(servers.length), network: sample },
      evidence,
    };
  },
};

/** The block that is usually routed as one: /24 and /48. */
function getNetwork(ip: string): string {
  if (!ip.includes(':')) return ip.split('.').slice(0, 3).join('.');
  const [head = '', tail = ''] = ip.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].slice(0, 3).join(':');
}
