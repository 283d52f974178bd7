import type { AuditDns, DnsAnswer, DnsRecord, DnsRecordType } from '../../core/network/network.ts';
import { NetworkError } from '../../core/network/network-error.ts';
import { getRegistrableDomain } from '../../core/network/parse-domain.ts';

/** The strings of each TXT record, joined as DKIM and DMARC want them. */
export async function readTexts(dns: AuditDns, name: string): Promise<string[]> {
  const { records } = await dns.query(name, 'TXT');
  return records.map(record => joinStrings(record).trim());
}

export function joinStrings({ data }: DnsRecord): string {
  return [data as Buffer | Buffer[]].flat().join('');
}

/** `a=b; c=d`, as DKIM, DMARC, MTA-STS and TLS-RPT write it. Names are lower case; the first of equal names counts. */
export function parseTags(record: string): Map<string, string> {
  return new Map(listTags(record).toReversed());
}

export function listTags(record: string): [name: string, value: string][] {
  return record.split(';').flatMap((part): [string, string][] => {
    const [name = '', ...values] = part.split('=');
    const key = name.trim().toLowerCase();
    return key && values.length > 0 ? [[key, values.join('=').trim()]] : [];
  });
}

/** 'a.b.example.com', 'b.example.com', 'example.com': never the suffix, which belongs to others. */
export function listParents(name: string): string[] {
  const labels = name.split('.');
  const last = getRegistrableDomain(name).split('.').length;
  return labels.slice(0, Math.max(1, labels.length - last + 1)).map((_, at) => labels.slice(at).join('.'));
}

/** The answer of the closest name that has such records. */
export async function queryParents(
  dns: AuditDns,
  name: string,
  type: DnsRecordType,
): Promise<{ owner: string; answer: DnsAnswer } | undefined> {
  for (const owner of listParents(name)) {
    const answer = await dns.query(owner, type);
    if (answer.records.length > 0) return { owner, answer };
  }
  return undefined;
}

/** The root is signed: a resolver that does not say so validates nothing. */
export async function assertValidating(dns: AuditDns): Promise<void> {
  const { authenticated } = await dns.query('.', 'SOA');
  if (!authenticated) throw new NetworkError('our resolver does not validate DNSSEC');
}
