import { afterEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { createFloodCheck } from './flood-check.ts';

const { log, lines } = collectLog();
const clock = { now: () => new Date('2026-01-02T03:14:05.000Z') };

afterEach(() => vi.useRealTimers());

test.each([
  ['fails', () => Promise.reject(new Error('no count today'))],
  ['hangs', () => new Promise<never>(() => undefined)],
])('there is none where counting %s', async (_, countStored) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lines.length = 0;
  const answer = createFloodCheck({ messages: { countStored }, clock, log })();
  await vi.advanceTimersByTimeAsync(1500);
  expect(await answer).toBe(false);
  expect(lines.join('')).toContain('flood count failed');
});
