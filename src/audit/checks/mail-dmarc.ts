import type { Check } from '../check.ts';
import { readDmarc } from '../dmarc.ts';
import { parseTags } from '../dns-records.ts';

export const mailDmarc: Check = {
  id: 'mail-dmarc',
  group: 'mail',
  findings: {
    enforced: 'passed',
    partial: 'attention',
    'weak-subdomains': 'attention',
    monitoring: 'attention',
    'no-policy': 'attention',
    several: 'attention',
    none: 'missing',
  },
  async run({ domain, network: { dns } }) {
    const { owner, records, isParent } = await readDmarc(dns, domain);
    const [record] = records;
    const values = { domain: owner };
    if (record === undefined) return { finding: 'none', values };
    if (records.length > 1) return { finding: 'several', values, evidence: records };
    const tags = parseTags(record);
    const policy = (isParent && tags.get('sp') ? tags.get('sp') : tags.get('p'))?.toLowerCase() ?? '';
    const subdomains = tags.get('sp')?.toLowerCase() ?? policy;
    const percent = Number(tags.get('pct') ?? 100);
    const evidence = [record];
    if (!['none', 'quarantine', 'reject'].includes(policy)) return { finding: 'no-policy', values, evidence };
    if (policy === 'none') return { finding: 'monitoring', values, evidence };
    if (percent < 100)
      return { finding: 'partial', values: { ...values, percent: String(percent) }, evidence };
    if (subdomains === 'none') return { finding: 'weak-subdomains', values, evidence };
    const alignment = [tags.get('adkim'), tags.get('aspf')].every(mode => mode?.toLowerCase() === 's');
    return {
      finding: 'enforced',
      values: { ...values, policy, alignment: alignment ? 'strict' : 'relaxed' },
      evidence,
    };
  },
};
