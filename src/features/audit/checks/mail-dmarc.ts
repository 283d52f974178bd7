import type { Check } from '../check.ts';
import { readDmarc } from '../dmarc.ts';
import { listTags, parseTags } from '../dns-records.ts';

const policies = ['none', 'quarantine', 'reject'];

export const mailDmarc: Check = {
  id: 'mail-dmarc',
  group: 'mail',
  findings: {
    enforced: 'passed',
    partial: 'attention',
    testing: 'attention',
    'weak-subdomains': 'attention',
    monitoring: 'attention',
    'no-policy': 'failed',
    invalid: 'failed',
    several: 'failed',
    none: 'missing',
  },
  async run({ domain, network: { dns } }) {
    const { owner, records, isParent } = await readDmarc(dns, domain);
    const [record] = records;
    const values = { domain: owner };
    if (record === undefined) return { finding: 'none', values };
    if (records.length > 1) return { finding: 'several', values, evidence: records };
    const tags = parseTags(record);
    const get = (name: string) => tags.get(name)?.toLowerCase();
    const evidence = [record];
    if (!policies.includes(get('p') ?? '')) return { finding: 'no-policy', values, evidence };
    const term = findInvalidTag(record);
    if (term !== undefined) return { finding: 'invalid', values: { ...values, term }, evidence };
    const policy = (isParent ? get('sp') : undefined) ?? get('p') ?? '';
    if (policy === 'none') return { finding: 'monitoring', values, evidence };
    if (get('t') === 'y') return { finding: 'testing', values: { ...values, policy }, evidence };
    const percent = readPercent(get('pct'));
    if (percent < 100)
      return { finding: 'partial', values: { ...values, percent: String(percent) }, evidence };
    // RFC 9989, 4.7: np is for subdomains that do not exist.
    if ([get('sp'), get('np')].includes('none')) return { finding: 'weak-subdomains', values, evidence };
    const alignment = [get('adkim'), get('aspf')].every(mode => mode === 's') ? 'strict' : 'relaxed';
    return { finding: 'enforced', values: { ...values, policy, alignment }, evidence };
  },
};

/** RFC 7489, 6.6.3, and RFC 6376, 3.2: receivers then apply no policy. */
function findInvalidTag(record: string): string | undefined {
  const tags = listTags(record);
  const isInvalid = ([name, value]: [string, string], at: number) =>
    (['sp', 'np'].includes(name) && !policies.includes(value.toLowerCase())) ||
    tags.findIndex(tag => tag[0] === name) < at;
  return tags.find(isInvalid)?.join('=');
}

/** Receivers put the default in place of a value that is none. */
function readPercent(text = ''): number {
  return /^\d{1,3}$/.test(text) ? Math.min(Number(text), 100) : 100;
}
