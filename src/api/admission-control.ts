import { BusyError } from '../lib/busy-error.ts';
import { withTimeout } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { RateBucket, RateLimit } from './guards/rate-limit.ts';
import type { Tally } from './request-counters.ts';
import { problem } from './responses.ts';

export type StoringDeps = {
  log: Log;
  onNotStored(): void;
  onBusy(): void;
  tally: Tally;
};

export type Asked = { requestId: string; address: string };

export type NotStored = { kind: 'too many'; seconds: number } | Unstored;
type Unstored = { kind: 'failed' | 'busy' };

export type WaitingLine = { hasRoom(): boolean };

/** A disk or database that hangs must not hold a visitor. */
const storeWithinMs = 8000;

/** `what` is named in the log if it could not be stored. */
export async function store<T>(
  { log, onNotStored, onBusy }: StoringDeps,
  { requestId }: Pick<Asked, 'requestId'>,
  what: string,
  verb: () => Promise<T>,
): Promise<T | Unstored> {
  try {
    return await withTimeout(storeWithinMs, verb());
  } catch (error) {
    if (error instanceof BusyError) return turnAway(onBusy);
    log.error(`${what} not stored`, { requestId, ...errorFields(error) });
    onNotStored();
    return { kind: 'failed' };
  }
}

function turnAway(onBusy: () => void): Unstored {
  onBusy();
  return { kind: 'busy' };
}

/** Without capacity the request is not counted against the client's limit, either. */
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
