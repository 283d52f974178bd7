import type { AuditProgress } from '../run-audit.ts';
import type { CountedAudit } from './audit-limits.ts';

export type QueuedEvent<Progress> =
  | { type: 'waiting'; ahead: number; seconds: number }
  | Progress
  | { type: 'failed'; reason: 'unexpected' };

export type AuditJob<Progress> = {
  domain: string;
  /** For whom and what the limits counted it. */
  counted: CountedAudit;
  /** Every visitor who requests this domain meanwhile reads them from the first. */
  events: (Progress | { type: 'failed'; reason: 'unexpected' })[];
  isEnded: boolean;
  /** It never started: its last visitor left before, or the server stops. */
  isDropped: boolean;
  isRefunded: boolean;
  visitors: number;
  changed: PromiseWithResolvers<void>;
};

export type AuditQueue<Progress = AuditProgress> = ReturnType<typeof createAuditQueue<Progress>>;

type QueueDeps<Progress> = {
  run(domain: string): AsyncIterable<Progress>;
  onEnd(job: { ms: number; error?: unknown }): void;
};

export const queueLimits = { maxRunning: 5, maxWaiting: 50 } as const;

const firstEstimateMs = 10_000;
/** The share of the latest audit in the running mean. */
const latestShare = 0.2;
/** Those who wait are told their place at this pace; it also keeps their connections from being closed as idle. */
const repeatMs = 2000;

/** The audits of one process: a few at a time, the others in the order of arrival. */
export function createAuditQueue<Progress>({ run, onEnd }: QueueDeps<Progress>) {
  type Job = AuditJob<Progress>;
  const running = new Set<Job>();
  const waiting: Job[] = [];
  let meanMs = firstEstimateMs;
  let isStopped = false;
  const timer = setInterval(() => waiting.forEach(notify), repeatMs).unref();

  function notify(job: Job): void {
    job.changed.resolve();
    job.changed = Promise.withResolvers();
  }

  function startNext(): void {
    while (running.size < queueLimits.maxRunning) {
      const job = waiting.shift();
      if (!job) return;
      running.add(job);
      notify(job);
      void runJob(job);
    }
  }

  async function runJob(job: Job): Promise<void> {
    const started = performance.now();
    let error: unknown;
    try {
      for await (const event of run(job.domain)) {
        job.events.push(event);
        notify(job);
      }
    } catch (thrown) {
      error = thrown;
      job.events.push({ type: 'failed', reason: 'unexpected' });
    }
    const ms = performance.now() - started;
    meanMs += latestShare * (ms - meanMs);
    running.delete(job);
    end(job);
    if (!isStopped) onEnd({ ms, ...(error !== undefined && { error }) });
    startNext();
  }

  function end(job: Job): void {
    job.isEnded = true;
    notify(job);
  }

  /** In a steady state one of those that run ends every `meanMs / maxRunning`. */
  function secondsUntilStart(ahead: number): number {
    return Math.ceil(((ahead + 1) * meanMs) / queueLimits.maxRunning / 1000);
  }

  return {
    find: (domain: string): Job | undefined => [...running, ...waiting].find(job => job.domain === domain),
    /** Of an audit in the queue, or of one that would be added now. */
    secondsUntilStart(job?: Job): number {
      const ahead = job ? waiting.indexOf(job) : waiting.length;
      const startsNow = job ? ahead < 0 : running.size < queueLimits.maxRunning;
      return startsNow ? 0 : secondsUntilStart(ahead);
    },
    hasCapacity: () => !isStopped && waiting.length < queueLimits.maxWaiting,
    counts: () => ({ running: running.size, waiting: waiting.length }),
    add(counted: CountedAudit): Job {
      const changed = Promise.withResolvers<void>();
      const job: Job = {
        domain: counted.name,
        counted,
        events: [],
        isEnded: false,
        isDropped: false,
        isRefunded: false,
        visitors: 0,
        changed,
      };
      waiting.push(job);
      startNext();
      return job;
    },
    /** An audit that runs goes on without its visitors, whose result the next one gets; one that waits does not. */
    async *follow(job: Job): AsyncGenerator<QueuedEvent<Progress>> {
      job.visitors += 1;
      try {
        for (let ahead = waiting.indexOf(job); ahead >= 0; ahead = waiting.indexOf(job)) {
          yield { type: 'waiting', ahead, seconds: secondsUntilStart(ahead) };
          if (waiting.includes(job)) await job.changed.promise;
        }
        for (let at = 0; ; at += 1) {
          while (at === job.events.length && !job.isEnded) await job.changed.promise;
          const event = job.events[at];
          if (!event) return;
          yield event;
        }
      } finally {
        job.visitors -= 1;
        const place = job.visitors === 0 ? waiting.indexOf(job) : -1;
        if (place >= 0) {
          waiting.splice(place, 1);
          job.isDropped = true;
        }
      }
    },
    stop(): void {
      isStopped = true;
      clearInterval(timer);
      for (const job of waiting.splice(0)) {
        job.isDropped = true;
        job.events.push({ type: 'failed', reason: 'unexpected' });
        end(job);
      }
    },
  };
}
