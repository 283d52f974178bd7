import { afterEach, expect, test, vi } from 'vitest';
import { sendRaw } from '../../tests/harness/raw-http.ts';
import { json } from '../../tests/harness/requests.ts';
import { collectLog, startSite } from '../../tests/harness/site.ts';
import { createErrorResponseLog } from './error-responses.ts';

afterEach(() => void vi.useRealTimers());

const parsed = (lines: string[]) => lines.map(line => JSON.parse(line));

test('the first error of a kind is logged at once, the others as a count with growing intervals', () => {
  vi.useFakeTimers();
  const { log, lines } = collectLog();
  const { count, flush } = createErrorResponseLog(log);
  const logged = new Map<string, number[]>();
  const seconds = 600;
  let counted = 0;
  let seen = 0;
  for (let ms = 0; ms < seconds * 1000; ms += 50) {
    for (const status of [400, 421]) count({ status });
    counted += 2;
    vi.advanceTimersByTime(50);
    for (const { status } of parsed(lines.slice(seen)))
      logged.set(status, [...(logged.get(status) ?? []), ms]);
    seen = lines.length;
  }
  flush();
  expect(logged.size).toBe(2);
  for (const times of logged.values()) {
    expect(times[0]).toBe(0);
    expect(Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toBeGreaterThan(900);
    expect(times.length).toBeLessThan(20);
  }
  expect(parsed(lines).reduce((sum, line) => sum + line.count, 0)).toBe(counted);
  // After a quiet while the next is a first one again.
  vi.advanceTimersByTime(120_000);
  lines.length = 0;
  count({ status: 400 });
  expect(parsed(lines)).toMatchObject([{ event: 'requests refused', status: 400, count: 1 }]);
  flush();
  expect(lines).toHaveLength(1);
});

test('a kind is an endpoint and a status: a flood of one hides no other', () => {
  const { log, lines } = collectLog();
  const { count, flush } = createErrorResponseLog(log);
  const first = vi.fn();
  for (let sent = 0; sent < 1000; sent++) count({ endpoint: 'contact', status: 429 }, first);
  count({ endpoint: 'contact', status: 422 }, first);
  count({ endpoint: 'newsletter', status: 429 }, first);
  expect(first).toHaveBeenCalledTimes(3);
  flush();
  expect(parsed(lines)).toMatchObject([{ endpoint: 'contact', status: 429, count: 999 }]);
});

test('connections that the server rejects are counted, at the latest at shutdown', async () => {
  const site = await startSite({ SITE_URL: 'https://www.example.com' });
  const port = Number(new URL(site.origin).port);
  for (const bytes of [
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /api/\\ HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
    'nonsense\r\n\r\n',
  ]) {
    await sendRaw(port, bytes, 1);
  }
  await site[Symbol.asyncDispose]();
  expect(countsOf(site.lines, 'requests refused')).toEqual({ '400': 3, '405': 1, '421': 1 });
});

test('a flood of rejected API requests and forms does not fill the log, and each is counted', async () => {
  const site = await startSite({});
  const form = (path: string) =>
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `message=${'x'.repeat(200_000)}`,
    });
  const attacks = [
    () => json('{'),
    () => new Request('http://localhost/api/nothing'),
    () => new Request('http://localhost/api/contact'),
    () => form('/api/contact'),
    () => new Request('http://localhost/newsletter/confirm?token=made-up', { method: 'POST' }),
  ];
  const times = 200;
  const started = performance.now();
  const statuses: Record<string, number> = {};
  for (let sent = 0; sent < times; sent++) {
    for (const attack of attacks) {
      const { status } = await site.app.fetch(attack());
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  await site[Symbol.asyncDispose]();
  expect(statuses).toEqual({ '303': 2 * times, '400': times, '404': times, '405': times });
  const lines = parsed(site.lines).filter(({ event }) => /^requests? ?/.test(event));
  const maxOfEach = 2 + (performance.now() - started) / 1000;
  expect(lines.length).toBeLessThanOrEqual(attacks.length * maxOfEach);
  expect(lines.filter(({ event }) => event === 'request').every(({ requestId }) => requestId)).toBe(true);
  const logged = countsOf(site.lines, 'request', 'requests refused');
  expect(logged).toEqual(statuses);
});

/** Logged counts by status. */
function countsOf(lines: string[], ...events: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { event, status, count = 1 } of parsed(lines)) {
    if (events.includes(event)) counts[status] = (counts[status] ?? 0) + count;
  }
  return counts;
}
