/** Work that waits while the previous group is being committed makes up the next one: one fsync for all of them. */
export type GroupCommit<Item, Result> = (item: Item) => Promise<Result>;

type GroupLimits = {
  most: number;
  mostWaiting: number;
  isHopeless(error: unknown): boolean;
  /** Told of each group that was committed, and how long that took. */
  onGroup?: ((size: number, ms: number) => void) | undefined;
};

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item };

/**
 * `commit` takes a group and answers each item in its place, some perhaps a little later. A group that fails is tried again one by one, so that one
 * item cannot take the others down with it; `isHopeless` errors, such as a database that is gone, spare that. When more
 * than `mostWaiting` wait, the next is turned away.
 */
export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  { most, mostWaiting, isHopeless, onGroup }: GroupLimits,
): GroupCommit<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isCommitting = false;

  async function work(): Promise<void> {
    isCommitting = true;
    while (waiting.length > 0) {
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
    const started = performance.now();
    try {
      const results = await commit(group.map(({ item }) => item));
      onGroup?.(group.length, performance.now() - started);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result | Promise<Result>);
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  function fail(group: Waiting<Item, Result>[], error: unknown): void {
    for (const { reject } of group) reject(error);
  }

  return item => {
    if (waiting.length >= mostWaiting)
      return Promise.reject(new Error(`more than ${mostWaiting} wait already`));
    const waiter = { item, ...Promise.withResolvers<Result>() };
    waiting.push(waiter);
    if (!isCommitting) work();
    return waiter.promise;
  };
}
