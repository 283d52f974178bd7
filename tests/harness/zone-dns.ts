import type { AuditDns, DnsAnswer } from '../../src/core/network/network.ts';
import { NetworkError } from '../../src/core/network/network-error.ts';
import type { Zone, ZoneType } from '../fakes/dns-server.ts';

/** Answers from a zone without a server. ['SERVFAIL'] fails. */
export function createZoneDns(zone: Zone): AuditDns {
  return {
    async query(name, type): Promise<DnsAnswer> {
      let owner = name.toLowerCase();
      const aliases: string[] = [];
      for (
        let next = zone[owner]?.CNAME?.[0];
        next && !aliases.includes(next);
        next = zone[owner]?.CNAME?.[0]
      ) {
        aliases.push(next);
        owner = next;
      }
      const values = zone[owner]?.[type as ZoneType] ?? [];
      if (values[0] === 'SERVFAIL') throw new NetworkError(`DNS: SERVFAIL for ${name} ${type}`, 'dns');
      const records = values.map(text => ({ text, ttl: 60, data: toData(type, text) }));
      return { exists: owner in zone, authenticated: false, records, aliases };
    },
  };
}

function toData(type: string, text: string): unknown {
  if (type === 'TXT') return [Buffer.from(text)];
  if (type !== 'MX') return text;
  const [preference, exchange = ''] = text.split(' ');
  return { preference: Number(preference), exchange };
}
