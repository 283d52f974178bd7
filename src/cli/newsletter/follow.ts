import { setTimeout as wait } from 'node:timers/promises';
import type { Wired } from '../../server/wire.ts';
import { drawBar } from '../progress.ts';
import { note } from '../say.ts';
import { errorWidth, redraw } from '../terminal.ts';

type Store = Wired['store'];
type Issue = Pick<NonNullable<Awaited<ReturnType<Store['issues']['find']>>>, 'name' | 'reference'>;
export type Counts = Awaited<ReturnType<Store['issues']['count']>>;

const lookEveryMs = 500;
const lineEveryMs = 5000;
const stillMs = 15_000;

/**
 * Shows how an issue goes out until nothing of it waits. Ctrl+C ends the showing alone: the server sends. The counts at
 * the end; undefined when it was interrupted.
 */
export async function follow({ issues, outbox }: Store, issue: Issue): Promise<Counts | undefined> {
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once('SIGINT', onInterrupt);
  const show = createProgress();
  let last = '';
  let movedAt = performance.now();
  let isTold = false;
  try {
    for (;;) {
      const counts = await issues.count(issue.reference);
      const now = performance.now();
      const seen = JSON.stringify(counts);
      if (seen !== last) {
        last = seen;
        movedAt = now;
        isTold = false;
      }
      if (waitingIn(counts) === 0) {
        show.clear();
        return counts;
      }
      show.draw(counts);
      if (!isTold && now - movedAt > stillMs) {
        isTold = true;
        show.clear();
        note(await explainStillness({ issues, outbox }, issue, counts));
      }
      await wait(lookEveryMs, undefined, { signal: interrupted.signal });
    }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    show.clear();
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

/** '9,998 sent, 1 failed, 1 possibly sent' */
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

/** Until its lease has run out nobody knows that a letter was cut off. */
export const cutOffNote =
  'What was under way when a server was killed counts as possibly sent two minutes later, once one runs again.';

/** The likeliest reason first: a receiver that is paused, a mail server that refuses, nobody who delivers. */
async function explainStillness(
  { issues, outbox }: Pick<Store, 'issues' | 'outbox'>,
  issue: Issue,
  { waiting: unsent, sending }: Counts,
): Promise<string> {
  if (unsent === 0 && sending > 0) return `${cutOffNote} Nothing else waits.`;
  const paused = (await outbox.listPaused()).find(({ name }) => name === 'newsletter');
  if (paused) {
    return `Sending has been paused since ${paused.paused_at}: ${paused.paused_why}. Mend it and restart the server.`;
  }
  const [waiting] = await issues.listLetters(issue.reference, ['waiting'], 1);
  if (waiting?.last_failure) {
    return `What waits has failed before and is tried again later, at last with: ${waiting.last_failure}.`;
  }
  return `Nothing has moved for ${stillMs / 1000} s: is the server, or the worker, that delivers running?`;
}

/** A bar that redraws itself at a terminal; elsewhere a line now and then. */
function createProgress() {
  const isTerminal = errorWidth() !== undefined;
  let lineAt = performance.now();
  let lastLine = '';
  return {
    draw(counts: Counts): void {
      const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
      const done = total - waitingIn(counts) - counts.held;
      const line = `${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')}: ${summary(counts)}`;
      if (isTerminal) {
        drawBar(done, total, line);
        lastLine = line;
      } else if (performance.now() - lineAt >= lineEveryMs && line !== lastLine) {
        note(line);
        lineAt = performance.now();
        lastLine = line;
      }
    },
    /** Makes room for a sentence where the bar was. */
    clear(): void {
      if (isTerminal && lastLine) redraw('');
    },
  };
}
