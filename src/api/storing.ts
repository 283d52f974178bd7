import { Busy } from '../lib/busy.ts';
import { within } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { RateBucket, RateLimit } from './guards/rate-limit.ts';
import { problem } from './problem.ts';
import type { Tally } from './tally.ts';

export type StoringDeps = {
  log: Log;
  /** Something could not be stored: whoever asks should learn that this process is not well. */
  onNotStored(): void;
  /** Somebody was told to come later because too many wait: that is no reason to doubt this process. */
  onBusy(): void;
  tally: Tally;
};

/** Who asked, and what the log calls it. */
export type Asked = { requestId: string; address: string };

export type NotStored = { kind: 'too many'; seconds: number } | Unstored;
type Unstored = { kind: 'failed' | 'busy' };

/** Of all that wait to be stored. */
export type WaitingLine = { hasRoom(): boolean };

/** A disk or a database that no longer answers must not hold a visitor. */
const storeWithinMs = 8000;

/** The result of a domain verb that stores; `what` is named in the log when it could not. */
export async function store<T>(
  { log, onNotStored, onBusy }: StoringDeps,
  { requestId }: Pick<Asked, 'requestId'>,
  what: string,
  verb: () => Promise<T>,
): Promise<T | Unstored> {
  try {
    return await within(storeWithinMs, verb());
  } catch (error) {
    if (error instanceof Busy) return turnAway(onBusy);
    log.error(`${what} not stored`, { requestId, ...errorFields(error) });
    onNotStored();
    return { kind: 'failed' };
  }
}

function turnAway(onBusy: () => void): Unstored {
  onBusy();
  return { kind: 'busy' };
}

/** The same for what a stranger may ask for only so often. Where there is no room, nobody is counted, either. */
export async function storeLimited<T>(
  deps: StoringDeps & { rateLimit: RateLimit },
  asked: Asked,
  { what, bucket, line }: { what: string; bucket: RateBucket; line: WaitingLine },
  verb: () => Promise<T>,
): Promise<T | NotStored> {
  if (!line.hasRoom()) return turnAway(deps.onBusy);
  const seconds = await deps.rateLimit.secondsToWait(asked.address, bucket);
  return seconds > 0 ? { kind: 'too many', seconds } : store(deps, asked, what, verb);
}

export function notStored(result: NotStored, { requestId }: Pick<Asked, 'requestId'>): Response {
  return result.kind === 'too many'
    ? problem(429, { requestId, headers: { 'retry-after': String(result.seconds) } })
    : problem(503, { requestId, headers: { 'retry-after': '5' } });
}
