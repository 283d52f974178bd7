import type { AuditDns } from '../../../core/network/network.ts';
import type { Check, Finding } from '../check.ts';
import { findMailRoute } from '../mail-route.ts';
import { readSpf } from '../spf.ts';

export const mailSpf: Check = {
  id: 'mail-spf',
  group: 'mail',
  findings: {
    present: 'passed',
    none: 'missing',
    several: 'failed',
    broken: 'failed',
    lookups: 'failed',
    'void-lookups': 'failed',
    open: 'attention',
    everyone: 'failed',
  },
  async run({ domain, network: { dns } }) {
    return checkSpf(dns, (await findMailRoute(dns, domain)).domain);
  },
};

export async function checkSpf(dns: AuditDns, domain: string): Promise<Finding> {
  const { record, fault } = await readSpf(domain, dns);
  const evidence = record ? record.split('\n') : [];
  const values = { domain, term: fault?.term ?? '' };
  return { finding: fault?.finding ?? 'present', values, evidence };
}
