import type { CheckResult } from '../../src/features/audit/check.ts';
import { createCutResult, createReport } from '../../src/features/audit/create-report.ts';
import type { AuditRunner } from '../../src/features/audit/requests/audit-runner.ts';
import type { AuditProgress, AuditReport } from '../../src/features/audit/run-audit.ts';

const https: CheckResult = {
  ...{ check: 'https', group: 'web', status: 'passed', finding: 'reachable', values: {}, evidence: [] },
};
const dmarc: CheckResult = {
  ...{ check: 'dmarc', group: 'mail', status: 'missing', finding: 'none', values: {} },
  evidence: ['<b>none</b>'],
};
const noGrading = { weights: {}, grades: [], caps: {} };

export function fakeReport(domain: string, measuredAt: Date): AuditReport {
  const measured = { domain, measuredAt: measuredAt.toISOString() };
  if (domain === 'limited.com')
    return createReport({ ...measured, results: [https, createCutResult(dmarc, 'a limit')] }, noGrading);
  return {
    ...{ ...measured, score: 50, results: [https, dmarc], caps: [], first: ['dmarc'] },
    grade: ['misspelt.com', 'silent.com'].includes(domain) ? null : 'E',
    groups: [
      { group: 'web', score: 100 },
      { group: 'mail', score: 0 },
      { group: 'names', score: null },
    ],
  };
}

/** Audits that find what a report says, and can be stopped half-way. `crash.com` fails, `misspelt.com` and `silent.com` have no
 * grade, and the former is not visited; `limited.com` is cut short. */
export function createFakeRunner(clock: { now(): Date }, createReport = fakeReport) {
  const started: string[] = [];
  let gate = Promise.resolve();
  async function* run(domain: string): AsyncGenerator<AuditProgress> {
    started.push(domain);
    const report = createReport(domain, clock.now());
    yield { type: 'started', checks: report.results.map(({ check, group }) => ({ check, group })) };
    for (const [index, result] of report.results.entries()) {
      if (index === report.results.length >> 1) await gate;
      yield { type: 'result', result };
    }
    if (domain === 'crash.com') throw new Error('the process ended');
    yield { type: 'report', report, hasConnected: domain !== 'misspelt.com' };
  }
  return {
    started,
    /** Audits stop at half of their results until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    run,
    prepare: () => undefined,
    close: async () => undefined,
  } satisfies AuditRunner & Record<string, unknown>;
}
