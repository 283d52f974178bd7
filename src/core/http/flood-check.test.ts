import { expect, test } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { createFloodCheck, floodLimits } from './flood-check.ts';

test('a flood is one message more than the limit in ten minutes, and none where counting fails', async () => {
  const { log, lines } = collectLog();
  const clock = { now: () => new Date('2026-01-02T03:14:05.000Z') };
  const isFlood = (countStored: (after: string) => Promise<number>) =>
    createFloodCheck({ messages: { countStored }, clock, log })();
  const oneMore = async (after: string) => floodLimits.max + Number(after === '2026-01-02T03:04:05.000Z');
  expect(await isFlood(oneMore)).toBe(true);
  expect(await isFlood(async () => floodLimits.max)).toBe(false);
  expect(await isFlood(() => Promise.reject(new Error('no count today')))).toBe(false);
  expect(lines.join('')).toContain('flood count failed');
});
