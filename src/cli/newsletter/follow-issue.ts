import { setTimeout as wait } from 'node:timers/promises';
import {
  countIssue,
  countUnsent,
  findStallReason,
  type IssueCounts,
} from '../../domain/newsletter/read-issues.ts';
import type { Services } from '../../server/wire.ts';
import { printNote } from '../print.ts';

type Deps = Pick<Services['domainDeps'], 'issues' | 'receiverStates'>;
type Issue = { name: string; reference: string };

const pollMs = 500;
const printEveryMs = 5000;
const stalledMs = 15_000;

/** Undefined after Ctrl+C, which ends only this command: the server goes on sending. */
export async function followIssue(deps: Deps, issue: Issue): Promise<IssueCounts | undefined> {
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once('SIGINT', onInterrupt);
  let last = '';
  let printedAt = performance.now();
  let isStalled = false;
  try {
    for (;;) {
      const counts = await countIssue(deps, issue.reference);
      if (countUnsent(counts) === 0) return counts;
      const now = performance.now();
      const progress = describeProgress(counts);
      if (progress !== last && now - printedAt > printEveryMs) {
        printNote(progress);
        last = progress;
        printedAt = now;
        isStalled = false;
      } else if (!isStalled && now - printedAt > stalledMs) {
        isStalled = true;
        printNote(await explainStall(deps, issue, counts));
      }
      await wait(pollMs, undefined, { signal: interrupted.signal });
    }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    printNote('The server continues to send in the background.');
    printNote(`To stop it: npm run newsletter -- stop ${issue.name}`);
    printNote(`To see its progress: npm run newsletter -- status ${issue.name}`);
    return undefined;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

export function describeProgress(counts: IssueCounts, name?: string): string {
  const parts = [
    [counts.delivered, 'sent'],
    [countUnsent(counts), 'waiting'],
    [counts.held, 'held'],
    [counts.failed, 'failed'],
    [counts.unconfirmed, 'unconfirmed'],
    [counts.dropped, 'cancelled'],
  ] as const;
  const shown = parts.flatMap(([number, what]) =>
    number > 0 ? [`${number.toLocaleString('en-GB')} ${what}`] : [],
  );
  const hint =
    name && counts.failed + counts.unconfirmed > 0 ? `; details: npm run newsletter -- status ${name}` : '';
  return `${shown.join(', ') || 'no mails'}${hint}`;
}

/** An interrupted delivery is recognised only by its expired lease. */
export const interruptedNote =
  'Deliveries interrupted by a crash count as unconfirmed two minutes later, while a server is running.';

async function explainStall(
  deps: Deps,
  { reference }: Issue,
  { waiting, sending }: IssueCounts,
): Promise<string> {
  if (waiting === 0 && sending > 0) return `${interruptedNote} Nothing else is waiting.`;
  const { paused, lastFailure } = await findStallReason(deps, reference);
  if (paused)
    return `Sending has been paused since ${paused.paused_at}: ${paused.paused_why}. Fix it, then restart the server.`;
  if (lastFailure) return `The waiting mails have failed and will be retried. Last failure: ${lastFailure}`;
  return `No progress for ${stalledMs / 1000} s. Is the server, or the worker, running?`;
}
