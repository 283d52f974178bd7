import { errorFields, type Log } from '../lib/log.ts';

/** Work that somebody else knows how to do, and that is done where deliveries are. */
export type Errand = {
  name: string;
  everyMs: number;
  /**
   * Also about so long after a sign that there is something to do. It comes by chance a half sooner or later, so that
   * what it does tells nobody about the request that gave the sign.
   */
  afterNudgeMs?: number;
  /** The end of the process waits for it: what takes long looks at the signal in between. */
  run(signal: AbortSignal): Promise<void>;
};

type ErrandsDeps = { log: Log; random(): number };

/** Runs each now and then, never beside itself; what fails is told and tried again at the next turn. */
export function createErrands(errands: readonly Errand[], { log, random }: ErrandsDeps) {
  const running = new Map<Errand, Promise<void>>();
  const nudged = new Map<Errand, NodeJS.Timeout>();
  const again = new Set<Errand>();
  let timers: NodeJS.Timeout[] = [];
  const ending = new AbortController();
  let isOpen = false;

  function begin(errand: Errand): void {
    if (running.has(errand)) again.add(errand);
    else running.set(errand, run(errand));
  }

  async function run(errand: Errand): Promise<void> {
    do {
      again.delete(errand);
      try {
        await errand.run(ending.signal);
      } catch (error) {
        log.error('errand failed', { errand: errand.name, ...errorFields(error) });
      }
    } while (isOpen && again.has(errand));
    running.delete(errand);
  }

  function nudge(errand: Errand): void {
    if (!isOpen || errand.afterNudgeMs === undefined || nudged.has(errand)) return;
    const timer = setTimeout(
      () => {
        nudged.delete(errand);
        begin(errand);
      },
      errand.afterNudgeMs * (0.5 + random()),
    );
    nudged.set(errand, timer);
  }

  return {
    start(): void {
      isOpen = true;
      timers = errands.map(errand => setInterval(begin, errand.everyMs, errand));
      for (const errand of errands) begin(errand);
    },
    look(): void {
      for (const errand of errands) nudge(errand);
    },
    async stop(): Promise<void> {
      isOpen = false;
      ending.abort();
      for (const timer of [...timers, ...nudged.values()]) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
