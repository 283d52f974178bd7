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
  'bogus-signatures': results => find(results, 'names-dnssec', ['bogus']),
  'everyone-may-send': results => find(results, 'mail-spf', ['everyone']),
  'neither-spf-nor-dmarc': results => {
    // A record that receivers ignore is as none.
    const useless = results.filter(
      ({ check, status, finding }) =>
        ['mail-spf', 'mail-dmarc'].includes(check) &&
        ['missing', 'failed'].includes(status) &&
        finding !== 'everyone',
    );
    return useless.length === 2 ? useless : [];
  },
};

function find(results: Results, check: string, findings: readonly string[]): CheckResult[] {
  return results.filter(one => one.check === check && findings.includes(one.finding));
}
