import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { createJobScheduler, type Job } from './job-scheduler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(job: Partial<Job> & Pick<Job, 'run'>) {
  const { log, lines } = collectLog();
  const deps = { log, random: () => 0.999 };
  const scheduler = createJobScheduler([{ name: 'test', everyMs: 60_000, ...job }], deps);
  scheduler.start();
  return { ...scheduler, lines };
}

test('a job runs at the start and at its interval, also after it failed; stopping aborts it and waits for it', async () => {
  const door = Promise.withResolvers<void>();
  const heard = vi.fn();
  const run = vi
    .fn(async (signal: AbortSignal): Promise<void> => {
      signal.addEventListener('abort', heard);
      await door.promise;
    })
    .mockRejectedValueOnce(new Error('no disk'))
    .mockResolvedValueOnce();
  const scheduler = start({ run });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(run).toHaveBeenCalledTimes(3);
  expect(scheduler.lines.join('')).toContain('scheduled job failed');
  const stopped = scheduler.stop().then(() => 'stopped');
  expect(heard).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await Promise.race([stopped, 'not yet'])).toBe('not yet');
  door.resolve();
  await stopped;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(run).toHaveBeenCalledTimes(3);
});

test('many wake calls are one run, after a delay with jitter', async () => {
  const run = vi.fn(async () => undefined);
  const scheduler = start({ run, wakeDelayMs: 1000 });
  await vi.advanceTimersByTimeAsync(10);
  for (let index = 0; index < 100; index += 1) scheduler.wake();
  await vi.advanceTimersByTimeAsync(1498);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await scheduler.stop();
});

test('a job never overlaps itself: what is due meanwhile is one more run', async () => {
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
