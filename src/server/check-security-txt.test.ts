import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectLog } from '../../tests/harness/site.ts';
import { systemClock } from '../lib/clock.ts';
import { dayMs, watchSecurityTxt } from './check-security-txt.ts';
import type { StaticFile } from './static-files.ts';

const start = new Date('2027-01-01T12:00:00Z');
beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

const inDays = (days: number) => new Date(start.getTime() + days * dayMs).toISOString();

function watch(text: string | undefined) {
  const { log, lines } = collectLog();
  const held = { plain: { body: text ?? '' } } as StaticFile;
  const watching = watchSecurityTxt(
    { get: () => (text === undefined ? undefined : held) },
    { clock: systemClock, log },
  );
  return {
    watching,
    told: () =>
      lines.map(line => JSON.parse(line)).map(({ level, event, daysLeft }) => [level, event, daysLeft]),
  };
}

test('is logged from 30 days before the expiry once a day, and as an error after it', () => {
  const { watching, told } = watch(`Contact: mailto:a@example.com\nExpires: ${inDays(31.5)}\n`);
  vi.advanceTimersByTime(dayMs);
  expect(told()).toEqual([]);
  vi.advanceTimersByTime(2 * dayMs);
  expect(told()).toEqual([
    ['warn', 'security.txt expires soon', 29],
    ['warn', 'security.txt expires soon', 28],
  ]);
  vi.advanceTimersByTime(29 * dayMs);
  expect(told().at(-2)).toEqual(['warn', 'security.txt expires soon', 0]);
  expect(told().at(-1)).toEqual(['error', 'security.txt has expired', undefined]);
  expect(told()).toHaveLength(31);
  watching[Symbol.dispose]();
  vi.advanceTimersByTime(5 * dayMs);
  expect(told()).toHaveLength(31);
});
