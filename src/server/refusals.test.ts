import { afterEach, expect, test, vi } from 'vitest';
import { sendRaw } from '../../tests/harness/raw.ts';
import { collectLog, startSite } from '../../tests/harness/site.ts';
import { createRefusals } from './refusals.ts';

afterEach(() => void vi.useRealTimers());

test('what was refused is told in one line a minute, by status, and nothing where nothing was', () => {
  vi.useFakeTimers();
  const { log, lines } = collectLog();
  const { count, tell } = createRefusals(log);
  for (const status of [421, 400, 421, 408]) count(status);
  vi.advanceTimersByTime(59_000);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(600_000);
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { level: 'info', event: 'requests refused', count: 4, statuses: '400: 1, 408: 1, 421: 2' },
  ]);
  count(400);
  tell();
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(2);
});

test('whoever the server turns away is among them, at the latest when it ends', async () => {
  const site = await startSite({ SITE_URL: 'https://www.example.com' });
  const port = Number(new URL(site.origin).port);
  for (const bytes of [
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    'nonsense\r\n\r\n',
  ]) {
    await sendRaw(port, bytes, 1);
  }
  await site[Symbol.asyncDispose]();
  expect(site.lines.join('')).toContain('"statuses":"400: 2, 405: 1, 421: 1"');
});
