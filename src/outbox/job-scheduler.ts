import { errorFields, type Log } from '../lib/log.ts';
import type { ClockGuard } from './clock-guard.ts';

export type Job = {
  name: string;
  everyMs: number;
  /** Also so long after a nudge, with jitter of a half, so that its timing reveals nothing about a request. */
  afterWakeMs?: number;
  /** A stop waits for it: long work must heed the signal. */
  run(signal: AbortSignal): Promise<void>;
};

type ErrandsDeps = { log: Log; random(): number; clockGuard?: ClockGuard };

/** Never runs an errand beside itself; a failed one is logged and runs again at its next time. */
export function createJobScheduler(errands: readonly Job[], { log, random, clockGuard }: ErrandsDeps) {
  const running = new Map<Job, Promise<void>>();
  const nudged = new Map<Job, NodeJS.Timeout>();
  const again = new Set<Job>();
  let timers: NodeJS.Timeout[] = [];
  const ending = new AbortController();
  let isOpen = false;

  function begin(errand: Job): void {
    if (running.has(errand)) again.add(errand);
    else running.set(errand, run(errand));
  }

  async function run(errand: Job): Promise<void> {
    do {
      again.delete(errand);
      try {
        const skew = clockGuard && (await clockGuard.findSkew());
        if (!skew) await errand.run(ending.signal);
      } catch (error) {
        log.error('errand failed', { errand: errand.name, ...errorFields(error) });
      }
    } while (isOpen && again.has(errand));
    running.delete(errand);
  }

  function nudge(errand: Job): void {
    if (!isOpen || errand.afterWakeMs === undefined || nudged.has(errand)) return;
    const timer = setTimeout(
      () => {
        nudged.delete(errand);
        begin(errand);
      },
      errand.afterWakeMs * (0.5 + random()),
    );
    nudged.set(errand, timer);
  }

  return {
    start(): void {
      isOpen = true;
      timers = errands.map(errand => setInterval(begin, errand.everyMs, errand));
      for (const errand of errands) begin(errand);
    },
    wake(): void {
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
