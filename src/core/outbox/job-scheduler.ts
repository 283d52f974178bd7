import { errorFields, type Log } from '../log.ts';
import type { ClockGuard } from './clock-guard.ts';

export type Job = {
  name: string;
  everyMs: number;
  /** Also this long after a wake, with jitter of a half, so that its timing reveals nothing about a request. */
  wakeDelayMs?: number;
  run(signal: AbortSignal): Promise<unknown>;
};

type JobSchedulerDeps = { log: Log; random(): number; clockGuard?: ClockGuard };

export function createJobScheduler(jobs: readonly Job[], { log, random, clockGuard }: JobSchedulerDeps) {
  const running = new Map<Job, Promise<void>>();
  const wakeTimers = new Map<Job, NodeJS.Timeout>();
  const rerun = new Set<Job>();
  let timers: NodeJS.Timeout[] = [];
  const stopping = new AbortController();
  let isRunning = false;

  function startJob(job: Job): void {
    if (running.has(job)) rerun.add(job);
    else running.set(job, runJob(job));
  }

  async function runJob(job: Job): Promise<void> {
    do {
      rerun.delete(job);
      try {
        const skew = clockGuard && (await clockGuard.describeClockSkew());
        if (!skew) await job.run(stopping.signal);
      } catch (error) {
        log.error('scheduled job failed', { job: job.name, ...errorFields(error) });
      }
    } while (isRunning && rerun.has(job));
    running.delete(job);
  }

  function wakeJob(job: Job): void {
    if (!isRunning || job.wakeDelayMs === undefined || wakeTimers.has(job)) return;
    const timer = setTimeout(
      () => {
        wakeTimers.delete(job);
        startJob(job);
      },
      job.wakeDelayMs * (0.5 + random()),
    );
    wakeTimers.set(job, timer);
  }

  return {
    start(): void {
      isRunning = true;
      timers = jobs.map(job => setInterval(startJob, job.everyMs, job));
      for (const job of jobs) startJob(job);
    },
    wake(): void {
      for (const job of jobs) wakeJob(job);
    },
    async stop(): Promise<void> {
      isRunning = false;
      stopping.abort();
      for (const timer of [...timers, ...wakeTimers.values()]) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
