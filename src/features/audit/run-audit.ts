import type { Clock } from '../../core/clock.ts';
import { cleanText } from '../../core/network/clean-text.ts';
import type { AuditNetwork } from '../../core/network/network.ts';
import { isBogus, NetworkError } from '../../core/network/network-error.ts';
import { type Check, type CheckContext, type CheckResult, type Finding, maxEvidenceLines } from './check.ts';
import { type AuditReport, createReport } from './create-report.ts';
import type { Grading } from './grade.ts';
import { type CheckGroup, limitFinding } from './terms.ts';

export type AuditDeps = {
  checks: readonly Check[];
  grading: Grading;
  clock: Clock;
  /** Called once per audit: a network counts the connections and questions of one audit. */
  createNetwork(signal: AbortSignal): AuditNetwork;
  /** Ends the audit early; what is not known by then is not measurable. */
  signal?: AbortSignal | undefined;
  /** For the whole audit. Shorter in tests. */
  timeoutMs?: number | undefined;
  /** A check failed by a fault of ours, not of the network. */
  onUnexpectedError?: ((check: string, error: unknown) => void) | undefined;
};

export type { AuditReport } from './create-report.ts';

export type AuditProgress =
  | { type: 'started'; checks: { check: string; group: CheckGroup }[] }
  | { type: 'result'; result: CheckResult }
  | { type: 'report'; report: AuditReport; hasConnected: boolean };

const auditTimeoutMs = 20_000;

/** Yields each result as soon as it is known, then the report with the results in the order of the checks. */
export async function* runAudit(deps: AuditDeps, domain: string): AsyncGenerator<AuditProgress, void> {
  const { checks, grading, clock } = deps;
  const now = clock.now();
  const ending = new AbortController();
  const signals = [ending.signal, AbortSignal.timeout(deps.timeoutMs ?? auditTimeoutMs)];
  const signal = AbortSignal.any(deps.signal ? [...signals, deps.signal] : signals);
  yield { type: 'started', checks: checks.map(({ id, group }) => ({ check: id, group })) };
  try {
    const context = { domain, network: deps.createNetwork(signal), now };
    const running = new Map(
      checks.map(check => [check.id, runCheck(check, context, signal, deps.onUnexpectedError)]),
    );
    const results: CheckResult[] = [];
    while (running.size > 0) {
      const result = await Promise.race(running.values());
      running.delete(result.check);
      results.push(result);
      yield { type: 'result', result };
    }
    const ordered = checks.flatMap(({ id }) => results.filter(({ check }) => check === id));
    const measured = { domain, measuredAt: now.toISOString(), results: ordered };
    const report = createReport(measured, grading);
    yield { type: 'report', report, hasConnected: context.network.hasConnected() };
  } finally {
    // A caller that leaves early leaves no connection behind.
    ending.abort();
  }
}

async function runCheck(
  check: Check,
  context: CheckContext,
  signal: AbortSignal,
  onUnexpectedError: AuditDeps['onUnexpectedError'],
): Promise<CheckResult> {
  try {
    const found = assertDomainExists(context).then(() => check.run(context));
    return createResult(check, await Promise.race([found, rejectOnAbort(signal)]));
  } catch (error) {
    const isExpected = error instanceof NetworkError;
    if (!isExpected) onUnexpectedError?.(check.id, error);
    return createResult(check, {
      finding: isExpected && error.kind === 'limit' ? limitFinding : 'not-measurable',
      evidence: isExpected ? [error.message] : [],
    });
  }
}

/** A misspelt domain has no faults. DNS is asked once for all checks. */
async function assertDomainExists({ domain, network }: CheckContext): Promise<void> {
  const { exists } = await network.dns.query(domain, 'SOA').catch(error => {
    // It is there, and the check of DNSSEC says what is wrong with it.
    if (isBogus(error)) return { exists: true };
    throw error;
  });
  if (!exists) throw new NetworkError('there is no such domain', 'no-address');
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = () => reject(new NetworkError('the time of the audit is over', 'limit'));
  if (signal.aborted) fail();
  else signal.addEventListener('abort', fail, { once: true });
  return promise;
}

export function createResult(check: Check, { finding, values = {}, evidence = [] }: Finding): CheckResult {
  const isUnknown = finding === 'not-measurable' || finding === limitFinding;
  const status = isUnknown ? 'not-measurable' : check.findings[finding];
  if (!status) throw new Error(`the check ${check.id} declares no finding '${finding}'`);
  return {
    check: check.id,
    group: check.group,
    status,
    finding,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cleanText(value)])),
    evidence: evidence.slice(0, maxEvidenceLines).map(cleanText),
  };
}
