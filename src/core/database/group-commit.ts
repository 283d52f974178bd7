import type { Kysely } from 'kysely';
import { BusyError } from '../../lib/busy-error.ts';
import type { Batch } from './query-helpers.ts';
import type { Tables } from './tables.ts';

/** Bounds the wait of visitors, and memory while a disk or a database does not answer. */
export const defaultLimits = { maxGroupSize: 128, maxWaiting: 5000, maxWaitMs: 4000 };

export type GroupDeps = { db: Kysely<Tables>; batch: Batch; limits: GroupLimits };

type GroupLimits = {
  maxGroupSize: number;
  maxWaiting: number;
  maxWaitMs?: number;
  isFatalDatabaseError(error: unknown): boolean;
  onGroup?: ((size: number, ms: number) => void) | undefined;
};

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item; since: number };

/** One fsync for all waiting items. A failed group is tried again one by one, unless the error is fatal. */
export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  {
    maxGroupSize,
    maxWaiting,
    maxWaitMs = Number.POSITIVE_INFINITY,
    isFatalDatabaseError,
    onGroup,
  }: GroupLimits,
) {
  let waiting: Waiting<Item, Result>[] = [];
  let isCommitting = false;
  let startedAt = 0;
  let lastFullMs = 0;

  async function work(): Promise<void> {
    isCommitting = true;
    for (rejectExpired(); waiting.length > 0; rejectExpired()) {
      const group = waiting.slice(0, maxGroupSize);
      waiting = waiting.slice(maxGroupSize);
      await commitGroup(group);
    }
    isCommitting = false;
  }

  async function commitGroup(group: Waiting<Item, Result>[]): Promise<void> {
    const failure = await attempt(group);
    if (!failure) return;
    if (group.length === 1 || isFatalDatabaseError(failure.error)) return fail(group, failure.error);
    for (const [index, one] of group.entries()) {
      const alone = await attempt([one]);
      if (!alone) continue;
      if (isFatalDatabaseError(alone.error)) return fail(group.slice(index), alone.error);
      fail([one], alone.error);
    }
  }

  async function attempt(group: Waiting<Item, Result>[]): Promise<{ error: unknown } | undefined> {
    startedAt = performance.now();
    try {
      const results = await commit(group.map(({ item }) => item));
      onGroup?.(group.length, performance.now() - startedAt);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result | Promise<Result>);
      return undefined;
    } catch (error) {
      return { error };
    } finally {
      if (group.length === maxGroupSize) lastFullMs = performance.now() - startedAt;
    }
  }

  function fail(group: Waiting<Item, Result>[], error: unknown): void {
    for (const { reject } of group) reject(error);
  }

  /** The client of an item that waited too long has disconnected. */
  function rejectExpired(): void {
    const latest = performance.now() - maxWaitMs;
    const inTime = waiting.findIndex(({ since }) => since >= latest);
    const late = waiting.splice(0, inTime < 0 ? waiting.length : inTime);
    if (late.length > 0) fail(late, new BusyError(`waited for more than ${maxWaitMs} ms`));
  }

  /** The waiting groups must be stored in half of `maxWaitMs`, at the pace of the last full group or the current one. */
  function hasCapacity(): boolean {
    const groupMs = Math.max(lastFullMs, performance.now() - startedAt);
    return (
      waiting.length < maxWaiting && Math.floor(waiting.length / maxGroupSize) * groupMs <= maxWaitMs / 2
    );
  }

  return {
    hasCapacity,
    add(item: Item): Promise<Result> {
      if (!hasCapacity()) return Promise.reject(new BusyError(`${waiting.length} wait already`));
      const waiter = { item, since: performance.now(), ...Promise.withResolvers<Result>() };
      waiting.push(waiter);
      if (!isCommitting) work();
      return waiter.promise;
    },
  };
}
