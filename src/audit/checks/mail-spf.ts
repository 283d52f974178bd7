import type { Check, Finding } from '../check.ts';
import { readTexts } from '../dns-records.ts';
import { findMailRoute } from '../mail-route.ts';
import type { AuditDns } from '../net/network.ts';
import { readSpf } from '../spf.ts';

export const mailSpf: Check = {
  id: 'mail-spf',
  group: 'mail',
  findings: {
    present: 'passed',
    none: 'missing',
    several: 'attention',
    broken: 'attention',
    lookups: 'attention',
    open: 'attention',
  },
  async run({ domain, network: { dns } }) {
    return checkSpf(dns, (await findMailRoute(dns, domain)).domain);
  },
};

export async function checkSpf(dns: AuditDns, domain: string): Promise<Finding> {
  const { record, fault } = await readSpf(domain, name => readTexts(dns, name));
  const evidence = record ? record.split('\n') : [];
  const values = { domain, term: fault?.term ?? '' };
  return { finding: fault?.finding ?? 'present', values, evidence };
}
