import { Busy } from '../lib/busy.ts';

/** Work that waits while the previous group is being committed makes up the next one: one fsync for all of them. */
export type GroupCommit<Item, Result> = {
  add(item: Item): Promise<Result>;
  /** False when the next would be turned away. */
  hasRoom(): boolean;
};

type GroupLimits = {
  most: number;
  mostWaiting: number;
  /** Nobody waits for longer before their own group begins; where that is to be expected, they are turned away at once. */
  longestMs?: number;
  isHopeless(error: unknown): boolean;
  /** Told of each group that was committed, and how long that took. */
  onGroup?: ((size: number, ms: number) => void) | undefined;
};

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item; since: number };

/**
 * `commit` takes a group and answers each item in its place, some perhaps a little later. A group that fails is tried again one by one, so that one
 * item cannot take the others down with it; `isHopeless` errors, such as a database that is gone, spare that. When more
 * than `mostWaiting` wait, or those who wait will take too long, the next is turned away.
 */
export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  { most, mostWaiting, longestMs = Number.POSITIVE_INFINITY, isHopeless, onGroup }: GroupLimits,
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isCommitting = false;
  let begunAt = 0;
  let lastFullMs = 0;

  async function work(): Promise<void> {
    isCommitting = true;
    for (dropLate(); waiting.length > 0; dropLate()) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await settle(group);
    }
    isCommitting = false;
  }

  async function settle(group: Waiting<Item, Result>[]): Promise<void> {
    const failure = await attempt(group);
    if (!failure) return;
    if (group.length === 1 || isHopeless(failure.error)) return fail(group, failure.error);
    for (const [index, one] of group.entries()) {
      const alone = await attempt([one]);
      if (!alone) continue;
      if (isHopeless(alone.error)) return fail(group.slice(index), alone.error);
      fail([one], alone.error);
    }
  }

  async function attempt(group: Waiting<Item, Result>[]): Promise<{ error: unknown } | undefined> {
    begunAt = performance.now();
    try {
      const results = await commit(group.map(({ item }) => item));
      onGroup?.(group.length, performance.now() - begunAt);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result | Promise<Result>);
      return undefined;
    } catch (error) {
      return { error };
    } finally {
      if (group.length === most) lastFullMs = performance.now() - begunAt;
    }
  }

  function fail(group: Waiting<Item, Result>[], error: unknown): void {
    for (const { reject } of group) reject(error);
  }

  /** Nobody is there any more for what came too long ago; the time goes to those who still wait. */
  function dropLate(): void {
    const latest = performance.now() - longestMs;
    const inTime = waiting.findIndex(({ since }) => since >= latest);
    const late = waiting.splice(0, inTime < 0 ? waiting.length : inTime);
    if (late.length > 0) fail(late, new Busy(`waited for more than ${longestMs} ms`));
  }

  /**
   * Whole groups that wait already must be through in half the time, by how long the last such took, or the present one
   * if that is longer already: the next may well be slower.
   */
  function hasRoom(): boolean {
    const groupMs = Math.max(lastFullMs, performance.now() - begunAt);
    return waiting.length < mostWaiting && Math.floor(waiting.length / most) * groupMs <= longestMs / 2;
  }

  return {
    hasRoom,
    add(item) {
      if (!hasRoom()) return Promise.reject(new Busy(`${waiting.length} wait already`));
      const waiter = { item, since: performance.now(), ...Promise.withResolvers<Result>() };
      waiting.push(waiter);
      if (!isCommitting) work();
      return waiter.promise;
    },
  };
}
