import { expect, onTestFinished, test, vi } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { systemClock } from '../clock.ts';
import { dayMs, watchSecurityTxt } from './check-security-txt.ts';
import type { StaticFile } from './static-files.ts';

test('is logged from 30 days before the expiry once a day, and as an error after it', () => {
  vi.useFakeTimers({ now: new Date('2027-01-01T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { log, lines } = collectLog();
  const body = `Contact: mailto:a@example.com\nExpires: ${new Date(Date.now() + 31.5 * dayMs).toISOString()}\n`;
  const file = { plain: { body } } as StaticFile;
  using _watch = watchSecurityTxt({ get: () => file }, { clock: systemClock, log });
  vi.advanceTimersByTime(dayMs);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(2 * dayMs);
  expect(lines).toEqual([29, 28].map(days => expect.stringContaining(`soon","daysLeft":${days}`)));
  vi.advanceTimersByTime(29 * dayMs);
  expect(lines.at(-1)).toMatch(/"level":"error".*"security.txt has expired"/);
});
