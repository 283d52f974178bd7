import type { AuditDns } from '../../core/network/network.ts';
import { getRegistrableDomain } from '../../core/network/parse-domain.ts';
import { readTexts } from './dns-records.ts';

export type Dmarc = { owner: string; records: string[]; isParent: boolean };

/** A name without a record of its own has that of its registrable domain (RFC 7489, 6.6.3). */
export async function readDmarc(dns: AuditDns, domain: string): Promise<Dmarc> {
  const own = await readRecords(dns, domain);
  const parent = getRegistrableDomain(domain);
  if (own.length > 0 || parent === domain) return { owner: domain, records: own, isParent: false };
  return { owner: parent, records: await readRecords(dns, parent), isParent: true };
}

async function readRecords(dns: AuditDns, domain: string): Promise<string[]> {
  return (await readTexts(dns, `_dmarc.${domain}`)).filter(isDmarc);
}

/** RFC 7489, 6.4: the version stands first, and its value in capitals. */
export function isDmarc(text: string): boolean {
  return /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(;|$)/.test(text);
}
