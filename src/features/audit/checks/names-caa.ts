import type { Check } from '../check.ts';
import { queryParents } from '../dns-records.ts';

export const namesCaa: Check = {
  id: 'names-caa',
  group: 'names',
  findings: {
    restricted: 'passed',
    'no-issuer': 'attention',
    unrestricted: 'attention',
    none: 'missing',
  },
  async run({ domain, network: { dns } }) {
    // RFC 8659: the closest name with CAA records applies, and its parents are ignored.
    const found = await queryParents(dns, domain, 'CAA');
    if (!found) return { finding: 'none', values: { domain } };
    const records = found.answer.records.map(({ data }) => data as { tag: string; value: string });
    const list = (wanted: string) =>
      records
        .filter(({ tag }) => tag.toLowerCase() === wanted)
        .map(({ value }) => value.split(';')[0]?.trim() ?? '');
    const allowed = list('issue');
    // `issuewild` alone restricts nothing but wildcards; beside `issue ";"` its authorities still issue those.
    const named = allowed.length > 0 ? [...new Set([...allowed, ...list('issuewild')])].filter(Boolean) : [];
    const values = { domain: found.owner, issuers: named.join(', ') };
    const evidence = found.answer.records.map(({ text }) => `CAA ${text}`);
    if (named.length > 0) return { finding: 'restricted', values, evidence };
    return { finding: allowed.length > 0 ? 'no-issuer' : 'unrestricted', values, evidence };
  },
};
