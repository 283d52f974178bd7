import type { Clock } from '../../../core/clock.ts';
import type { AuditReportRow } from '../../../core/database/tables.ts';
import { hashToken, type Ids } from '../../../core/ids.ts';
import type { AuditProgress, AuditReport } from '../run-audit.ts';
import { isCutShort } from '../terms.ts';
import { type AuditLimits, limits, type ReachedLimit } from './audit-limits.ts';
import type { AuditJob, AuditQueue, QueuedEvent } from './audit-queue.ts';
import type { Audits } from './audits.ts';

export type StoredReport = AuditReport & { id: string };

export type StoredProgress =
  | Exclude<AuditProgress, { type: 'report' }>
  | { type: 'report'; report: StoredReport }
  /** Nothing could be measured. */
  | { type: 'failed'; reason: 'no-answer'; hasConnected: boolean };

export type RequestAuditDeps = {
  audits: Pick<Audits, 'getLatest' | 'addLink'>;
  auditQueue: AuditQueue<StoredProgress> | undefined;
  auditLimits: AuditLimits;
  auditTargets: AuditTargets;
  clock: Clock;
  ids: Pick<Ids, 'pathToken'>;
};

export type AuditTargets = {
  /** The domain in ASCII of what a visitor typed; undefined for what cannot be audited. */
  parse(text: string): string | undefined;
  /** False for our own domain and those whose owners opted out. */
  isOffered(domain: string): boolean;
};

export type RequestedEvent =
  | Exclude<QueuedEvent<StoredProgress>, { type: 'report' | 'failed' }>
  | { type: 'failed'; reason: 'unexpected' | 'no-answer' }
  | { type: 'report'; report: StoredReport; token: string; ageSeconds: number };

export type AuditRequest =
  | { kind: 'accepted'; isCached: boolean; events: AsyncIterable<RequestedEvent> }
  | { kind: 'refused'; reason: 'off' | 'invalid-domain' | 'not-offered' }
  | { kind: 'refused'; reason: 'busy' | ReachedLimit['reason']; seconds: number };

type RequestOptions = {
  /** The visitor's, as the limits count it. */
  network: string;
  maxWaitSeconds?: number;
};

/** A whole result younger than an hour is shown again; visitors who request the same domain meanwhile share one audit. */
export async function requestAudit(
  deps: RequestAuditDeps,
  text: string,
  { network, maxWaitSeconds = Number.POSITIVE_INFINITY }: RequestOptions,
): Promise<AuditRequest> {
  const { audits, auditQueue: queue, clock } = deps;
  if (!queue) return { kind: 'refused', reason: 'off' };
  const domain = deps.auditTargets.parse(text);
  if (!domain) return { kind: 'refused', reason: 'invalid-domain' };
  if (!deps.auditTargets.isOffered(domain)) return { kind: 'refused', reason: 'not-offered' };
  const since = new Date(clock.now().getTime() - limits.auditName.windowMs).toISOString();
  const getKnown = async (): Promise<StoredReport | undefined> => {
    const row = await audits.getLatest(domain, since);
    const report = row && readReportRow(row);
    return report && !isCutShort(report) ? report : undefined;
  };
  const known = await getKnown();
  if (known) return { kind: 'accepted', isCached: true, events: replay(deps, known) };
  const joined = queue.find(domain);
  const wait = queue.secondsUntilStart(joined);
  if (wait > maxWaitSeconds || !(joined || queue.hasCapacity()))
    return { kind: 'refused', reason: 'busy', seconds: wait };
  if (joined) return { kind: 'accepted', isCached: false, events: follow(deps, queue, joined) };
  const counted = { name: domain, network };
  const reached = await deps.auditLimits.consume(counted);
  // Other requests may have started and ended it, or filled the queue, while this one was counted.
  const started = queue.find(domain);
  if (!started && reached) {
    const ended = await getKnown();
    if (ended) return { kind: 'accepted', isCached: true, events: replay(deps, ended) };
    return { kind: 'refused', ...reached };
  }
  const newWait = queue.secondsUntilStart(started);
  if (newWait > maxWaitSeconds || !(started || queue.hasCapacity())) {
    if (!started) await deps.auditLimits.refund(counted);
    return { kind: 'refused', reason: 'busy', seconds: newWait };
  }
  return { kind: 'accepted', isCached: false, events: follow(deps, queue, started ?? queue.add(counted)) };
}

async function* replay(deps: RequestAuditDeps, report: StoredReport): AsyncGenerator<RequestedEvent> {
  const ageMs = deps.clock.now().getTime() - Date.parse(report.measuredAt);
  const ageSeconds = Math.max(1, Math.round(ageMs / 1000));
  yield { type: 'report', report, token: await createLink(deps, report.id), ageSeconds };
}

async function* follow(
  deps: RequestAuditDeps,
  queue: AuditQueue<StoredProgress>,
  job: AuditJob<StoredProgress>,
): AsyncGenerator<RequestedEvent> {
  try {
    for await (const event of queue.follow(job)) {
      if (event.type === 'report')
        yield { ...event, token: await createLink(deps, event.report.id), ageSeconds: 0 };
      else if (event.type === 'failed') {
        if (event.reason === 'no-answer') await refundOnce(deps, job, event.hasConnected);
        yield { type: 'failed', reason: event.reason };
      } else yield event;
    }
  } finally {
    if (job.isDropped) await refundOnce(deps, job, false);
  }
}

/** There is no report to show: who requests the domain next does not wait an hour. What was visited counts for the visitor. */
async function refundOnce(
  { auditLimits }: RequestAuditDeps,
  job: AuditJob<StoredProgress>,
  hasConnected: boolean,
): Promise<void> {
  if (job.isRefunded) return;
  job.isRefunded = true;
  await (hasConnected ? auditLimits.refundTarget(job.counted) : auditLimits.refund(job.counted));
}

const linkLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** Only the hash is stored: who reads the database cannot open a visitor's link. */
async function createLink({ audits, clock, ids }: RequestAuditDeps, report: string): Promise<string> {
  const token = ids.pathToken();
  const now = clock.now();
  await audits.addLink({
    hash: hashToken(token),
    report,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + linkLifetimeMs).toISOString(),
  });
  return token;
}

export function readReportRow({ id, report }: AuditReportRow): StoredReport {
  // Reports of an earlier version have no caps.
  return { id, caps: [], ...(JSON.parse(report) as Omit<AuditReport, 'caps'>) };
}
