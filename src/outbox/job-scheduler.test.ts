import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../tests/harness/site.ts';
import { createJobScheduler, type Job } from './job-scheduler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(errand: Partial<Job> & Pick<Job, 'run'>, chance = 0.5) {
  const { log, lines } = collectLog();
  const errands = createJobScheduler([{ name: 'test', everyMs: 60_000, ...errand }], {
    log,
    random: () => chance,
  });
  errands.start();
  return { ...errands, lines };
}

test('an errand is run at the start, now and then, and no more after the end', async () => {
  const run = vi.fn(async () => undefined);
  const errands = start({ run });
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(run).toHaveBeenCalledTimes(3);
  await errands.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(run).toHaveBeenCalledTimes(3);
});

test('an errand that takes long hears of the end', async () => {
  const heard = vi.fn();
  const run = (signal: AbortSignal) =>
    new Promise<void>(done => signal.addEventListener('abort', () => done(heard())));
  await start({ run }).stop();
  expect(heard).toHaveBeenCalledTimes(1);
});

test.each([
  [0, 500],
  [0.999, 1499],
])('many signs are one run, after a while that chance decides (%d: %d ms)', async (chance, ms) => {
  const run = vi.fn(async () => undefined);
  const errands = start({ run, afterWakeMs: 1000 }, chance);
  await vi.advanceTimersByTimeAsync(10);
  for (let index = 0; index < 100; index += 1) errands.wake();
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await errands.stop();
});

test('it never runs beside itself: what comes meanwhile is one more run', async () => {
  const door = Promise.withResolvers<void>();
  const run = vi.fn(() => door.promise);
  const errands = start({ run, everyMs: 10 });
  await vi.advanceTimersByTimeAsync(100);
  expect(run).toHaveBeenCalledTimes(1);
  door.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(2);
  await errands.stop();
});

test('one that fails is told of and tried again, and the end waits for one under way', async () => {
  const door = Promise.withResolvers<void>();
  const run = vi.fn(() => door.promise).mockRejectedValueOnce(new Error('no disk'));
  const errands = start({ run });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(2);
  expect(errands.lines.join('')).toContain('scheduled job failed');
  let isStopped = false;
  const stopped = errands.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(isStopped).toBe(false);
  door.resolve();
  await stopped;
});
