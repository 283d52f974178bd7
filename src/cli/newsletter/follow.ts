import { setTimeout as wait } from 'node:timers/promises';
import type { Wired } from '../../server/wire.ts';
import { note } from '../print.ts';

type Store = Wired['store'];
type Issue = Pick<NonNullable<Awaited<ReturnType<Store['issues']['find']>>>, 'name' | 'reference'>;
export type Counts = Awaited<ReturnType<Store['issues']['count']>>;

const lookEveryMs = 500;
const tellEveryMs = 5000;
const stillMs = 15_000;

/** Ctrl+C ends this alone, and the result is undefined: the server goes on sending. */
export async function follow({ issues, receivers }: Store, issue: Issue): Promise<Counts | undefined> {
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once('SIGINT', onInterrupt);
  let last = '';
  let toldAt = performance.now();
  let isStill = false;
  try {
    for (;;) {
      const counts = await issues.count(issue.reference);
      if (waitingIn(counts) === 0) return counts;
      const now = performance.now();
      const said = summary(counts);
      if (said !== last && now - toldAt > tellEveryMs) {
        note(said);
        last = said;
        toldAt = now;
        isStill = false;
      } else if (!isStill && now - toldAt > stillMs) {
        isStill = true;
        note(await explainStillness({ issues, receivers }, issue, counts));
      }
      await wait(lookEveryMs, undefined, { signal: interrupted.signal });
    }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    note('The server goes on sending without this window.');
    note(`To stop it: npm run newsletter -- stop ${issue.name}`);
    note(`To see how it goes: npm run newsletter -- status ${issue.name}`);
    return undefined;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

export function waitingIn({ waiting, sending }: Counts): number {
  return waiting + sending;
}

export function summary(counts: Counts, name?: string): string {
  const parts = [
    [counts.delivered, 'sent'],
    [waitingIn(counts), 'waiting'],
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

async function explainStillness(
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
  return `Nothing has moved for ${stillMs / 1000} s: is the server, or the worker, that delivers running?`;
}
