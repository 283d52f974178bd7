import type { Check } from '../check.ts';
import { readTexts } from '../dns-records.ts';
import { findMailRoute } from '../mail-route.ts';
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
    const { domain: mailDomain } = await findMailRoute(dns, domain);
    const { record, fault } = await readSpf(mailDomain, name => readTexts(dns, name));
    const evidence = record ? record.split('\n') : [];
    const values = { domain: mailDomain, term: fault?.term ?? '' };
    return { finding: fault?.finding ?? 'present', values, evidence };
  },
};
