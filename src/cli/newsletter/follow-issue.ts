import { setTimeout as wait } from 'node:timers/promises';
import type { Wired } from '../../server/wire.ts';
import { printNote } from '../print.ts';

type Store = Wired['store'];
type Issue = Pick<NonNullable<Awaited<ReturnType<Store['issues']['find']>>>, 'name' | 'reference'>;
export type Counts = Awaited<ReturnType<Store['issues']['count']>>;

const pollMs = 500;
const printEveryMs = 5000;
const stalledMs = 15_000;

/** Ctrl+C ends this alone, and the result is undefined: the server goes on sending. */
export async function followIssue({ issues, receivers }: Store, issue: Issue): Promise<Counts | undefined> {
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once('SIGINT', onInterrupt);
  let last = '';
  let printedAt = performance.now();
  let isStalled = false;
  try {
    for (;;) {
      const counts = await issues.count(issue.reference);
      if (countUnsent(counts) === 0) return counts;
      const now = performance.now();
      const said = describeProgress(counts);
      if (said !== last && now - printedAt > printEveryMs) {
        printNote(said);
        last = said;
        printedAt = now;
        isStalled = false;
      } else if (!isStalled && now - printedAt > stalledMs) {
        isStalled = true;
        printNote(await explainStall({ issues, receivers }, issue, counts));
      }
      await wait(pollMs, undefined, { signal: interrupted.signal });
    }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    printNote('The server goes on sending without this window.');
    printNote(`To stop it: npm run newsletter -- stop ${issue.name}`);
    printNote(`To see how it goes: npm run newsletter -- status ${issue.name}`);
    return undefined;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

export function countUnsent({ waiting, sending }: Counts): number {
  return waiting + sending;
}

export function describeProgress(counts: Counts, name?: string): string {
  const parts = [
    [counts.delivered, 'sent'],
    [countUnsent(counts), 'waiting'],
    [counts.held, 'held'],
    [counts.dead, 'failed'],
    [counts.unsure, 'possibly sent'],
    [counts.dropped, 'no longer wanted'],
  ] as const;
  const said = parts.flatMap(([number, what]) =>
    number > 0 ? [`${number.toLocaleString('en-GB')} ${what}`] : [],
  );
  const hint = name && counts.dead + counts.unsure > 0 ? `; whom: npm run newsletter -- status ${name}` : '';
  return `${said.join(', ') || 'no letters'}${hint}`;
}

/** A mail that was cut off is known by its expired lease only. */
export const cutOffNote =
  'What was under way when a server was killed counts as possibly sent two minutes later, once one runs again.';

async function explainStall(
  { issues, receivers }: Pick<Store, 'issues' | 'receivers'>,
  issue: Issue,
  { waiting: unsent, sending }: Counts,
): Promise<string> {
  if (unsent === 0 && sending > 0) return `${cutOffNote} Nothing else waits.`;
  const paused = (await receivers.listPaused()).find(({ name }) => name === 'newsletter');
  if (paused) {
    return `Sending has been paused since ${paused.paused_at}: ${paused.paused_why}. Mend it and restart the server.`;
  }
  const [waiting] = await issues.listLetters(issue.reference, ['waiting'], 1);
  if (waiting?.last_failure) {
    return `What waits has failed before and is tried again later, at last with: ${waiting.last_failure}.`;
  }
  return `Nothing has moved for ${stalledMs / 1000} s: is the server, or the worker, that delivers running?`;
}
