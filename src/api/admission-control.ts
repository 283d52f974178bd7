import { BusyError } from '../lib/busy-error.ts';
import { withTimeout } from '../lib/clock.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { RateBucket, RateLimit } from './guards/rate-limit.ts';
import type { RequestCounters } from './request-counters.ts';
import { problem } from './responses.ts';

export type AdmissionDeps = {
  log: Log;
  onNotStored(): void;
  onBusy(): void;
  counters: RequestCounters;
};

export type RequestContext = { requestId: string; address: string };

export type NotStored = { kind: 'too many'; seconds: number } | StoreFailure;
type StoreFailure = { kind: 'failed' | 'busy' };

export type Capacity = { hasCapacity(): boolean };

/** A visitor does not wait longer for a disk or database that hangs. */
const storeTimeoutMs = 8000;

export async function tryStore<T>(
  { log, onNotStored, onBusy }: AdmissionDeps,
  { requestId }: Pick<RequestContext, 'requestId'>,
  what: string,
  verb: () => Promise<T>,
): Promise<T | StoreFailure> {
  try {
    return await withTimeout(storeTimeoutMs, verb());
  } catch (error) {
    if (error instanceof BusyError) return rejectBusy(onBusy);
    log.error(`${what} not stored`, { requestId, ...errorFields(error) });
    onNotStored();
    return { kind: 'failed' };
  }
}

function rejectBusy(onBusy: () => void): StoreFailure {
  onBusy();
  return { kind: 'busy' };
}

/** Backpressure: without capacity the request is rejected and not counted against the client's rate limit. */
export async function tryStoreRateLimited<T>(
  deps: AdmissionDeps & { rateLimit: RateLimit },
  context: RequestContext,
  { what, bucket, capacity }: { what: string; bucket: RateBucket; capacity: Capacity },
  verb: () => Promise<T>,
): Promise<T | NotStored> {
  if (!capacity.hasCapacity()) return rejectBusy(deps.onBusy);
  const seconds = await deps.rateLimit.consume(context.address, bucket);
  return seconds > 0 ? { kind: 'too many', seconds } : tryStore(deps, context, what, verb);
}

export function notStoredResponse(
  result: NotStored,
  { requestId }: Pick<RequestContext, 'requestId'>,
): Response {
  return result.kind === 'too many'
    ? problem(429, { requestId, headers: { 'retry-after': String(result.seconds) } })
    : problem(503, { requestId, headers: { 'retry-after': '5' } });
}
