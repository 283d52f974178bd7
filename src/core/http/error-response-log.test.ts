import { afterEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { createErrorResponseLog } from './error-response-log.ts';

afterEach(() => void vi.useRealTimers());

const parsed = (lines: string[]) => lines.map(line => JSON.parse(line));

test('the first error of a kind is logged at once, the others as a count with growing intervals', () => {
  vi.useFakeTimers();
  const { log, lines } = collectLog();
  const { count, flush } = createErrorResponseLog(log);
  for (let ms = 0; ms < 600_000; ms += 50) {
    for (const status of [400, 421]) count({ status });
    vi.advanceTimersByTime(50);
  }
  flush();
  const logged = parsed(lines).filter(({ status }) => status === 400);
  expect(logged[0]).toMatchObject({ event: 'requests refused', count: 1 });
  expect(logged.length).toBeLessThan(20);
  expect(logged.reduce((sum, { count }) => sum + count, 0)).toBe(12_000);
  // After a quiet while the next is a first one again.
  vi.advanceTimersByTime(120_000);
  lines.length = 0;
  count({ status: 400 });
  expect(parsed(lines)).toMatchObject([{ event: 'requests refused', status: 400, count: 1 }]);
  flush();
  expect(lines).toHaveLength(1);
});
