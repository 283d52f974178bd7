import { BusyError } from '../../lib/busy-error.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { errorFields, type Log } from '../log.ts';
import type { Limit, RateLimit } from './rate-limits.ts';
import type { RequestCounters } from './request-counters.ts';
import { problem } from './responses.ts';

export type AdmissionDeps = {
  log: Log;
  onNotStored(): void;
  onBusy(): void;
  counters: RequestCounters;
};

export type RequestContext = { requestId: string; ip: string };

export type NotStored = { kind: 'rate limited'; seconds: number } | StoreFailure;
type StoreFailure = { kind: 'failed' | 'busy' };

export type Capacity = { hasCapacity(): boolean };

/** A visitor does not wait longer for a disk or database that hangs. */
const storeTimeoutMs = 8000;

export async function tryStore<T>(
  { log, onNotStored, onBusy }: AdmissionDeps,
  { requestId }: Pick<RequestContext, 'requestId'>,
  label: string,
  store: () => Promise<T>,
): Promise<T | StoreFailure> {
  try {
    return await withTimeout(storeTimeoutMs, store());
  } catch (error) {
    if (error instanceof BusyError) return rejectBusy(onBusy);
    log.error(`${label} not stored`, { requestId, ...errorFields(error) });
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
  { label, limit, capacity }: { label: string; limit: Limit; capacity: Capacity },
  store: () => Promise<T>,
): Promise<T | NotStored> {
  if (!capacity.hasCapacity()) return rejectBusy(deps.onBusy);
  const seconds = await deps.rateLimit.consume(context.ip, limit);
  return seconds > 0 ? { kind: 'rate limited', seconds } : tryStore(deps, context, label, store);
}

export function notStoredResponse(
  result: NotStored,
  { requestId }: Pick<RequestContext, 'requestId'>,
): Response {
  return result.kind === 'rate limited'
    ? problem(429, { requestId, headers: { 'retry-after': String(result.seconds) } })
    : problem(503, { requestId, headers: { 'retry-after': '5' } });
}
