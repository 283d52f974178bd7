import type { CheckResult } from './check.ts';

type Results = readonly CheckResult[];

/**
 * Faults that limit the grade whatever the points are: each finds the checks that cause it. The best grade that each leaves,
 * and its reason, are in content/audit.yaml.
 */
export const findCauses: Record<string, (results: Results) => CheckResult[]> = {
  'no-trusted-https': results => [
    ...find(results, 'web-https', ['unreachable', 'leaves-https']),
    ...results.filter(({ check, status }) => check === 'web-certificate' && status === 'failed'),
    ...find(results, 'web-tls-versions', ['only-old']),
  ],
  'everyone-may-send': results => find(results, 'mail-spf', ['everyone']),
  'neither-spf-nor-dmarc': results => {
    const missing = [...find(results, 'mail-spf', ['none']), ...find(results, 'mail-dmarc', ['none'])];
    return missing.length === 2 ? missing : [];
  },
};

function find(results: Results, check: string, findings: readonly string[]): CheckResult[] {
  return results.filter(one => one.check === check && findings.includes(one.finding));
}
