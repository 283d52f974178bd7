import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../tests/harness/site.ts';
import { createJobScheduler, type Job } from './job-scheduler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(job: Partial<Job> & Pick<Job, 'run'>, chance = 0.5) {
  const { log, lines } = collectLog();
  const scheduler = createJobScheduler([{ name: 'test', everyMs: 60_000, ...job }], {
    log,
    random: () => chance,
  });
  scheduler.start();
  return { ...scheduler, lines };
}

test('a job runs at the start and at its interval, and not after stopping', async () => {
  const run = vi.fn(async () => undefined);
  const scheduler = start({ run });
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(run).toHaveBeenCalledTimes(3);
  await scheduler.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(run).toHaveBeenCalledTimes(3);
});

test('a long job is aborted by stopping', async () => {
  const heard = vi.fn();
  const run = (signal: AbortSignal) =>
    new Promise<void>(done => signal.addEventListener('abort', () => done(heard())));
  await start({ run }).stop();
  expect(heard).toHaveBeenCalledTimes(1);
});

test('many wake calls are one run, after a delay with jitter', async () => {
  const run = vi.fn(async () => undefined);
  const [chance, ms] = [0.999, 1499];
  const scheduler = start({ run, wakeDelayMs: 1000 }, chance);
  await vi.advanceTimersByTimeAsync(10);
  for (let index = 0; index < 100; index += 1) scheduler.wake();
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await scheduler.stop();
});

test('a job never overlaps itself: wake calls meanwhile are one more run', async () => {
  const door = Promise.withResolvers<void>();
  const run = vi.fn(() => door.promise);
  const scheduler = start({ run, everyMs: 10 });
  await vi.advanceTimersByTimeAsync(100);
  expect(run).toHaveBeenCalledTimes(1);
  door.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(2);
  await scheduler.stop();
});

test('a failed job is logged and run again, and stopping waits for one in progress', async () => {
  const door = Promise.withResolvers<void>();
  const run = vi.fn(() => door.promise).mockRejectedValueOnce(new Error('no disk'));
  const scheduler = start({ run });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(2);
  expect(scheduler.lines.join('')).toContain('scheduled job failed');
  let isStopped = false;
  const stopped = scheduler.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(isStopped).toBe(false);
  door.resolve();
  await stopped;
});
