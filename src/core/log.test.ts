import { expect, test } from 'vitest';
import { createLog, type LogLevel, logLevels, redactPath } from './log.ts';

const clock = { now: () => new Date('2026-01-02T03:04:05.678Z') };

function open(style: 'json' | 'readable', level: LogLevel = 'info') {
  const written: string[] = [];
  return { log: createLog({ clock, level, style, write: line => written.push(line) }), written };
}

const fields = { path: '/contact', status: 404, reason: 'no such "page"', isHidden: false, none: undefined };

test.each([
  [
    'json',
    '{"time":"2026-01-02T03:04:05.678Z","level":"warn","event":"request","path":"/contact","status":404,"reason":"no such \\"page\\"","isHidden":false}\n',
  ],
  [
    'readable',
    '03:04:05 warn  request path=/contact status=404 reason="no such \\"page\\"" isHidden=false\n',
  ],
] as const)('the %s log writes an event on one line, which no value can break or imitate', (style, line) => {
  const { log, written } = open(style);
  log.warn('request', fields);
  // Line ends of every kind, terminal escape sequences and bidirectional controls.
  const path =
    'x\n12:00:00 info  forged\r\n\u2028\u2029\u0085\u001b[2J\u009b2J\u0000\u202ex\u2066\u061c\u200e\u200f';
  log.info('request', { path });
  const [usual, hostile = ''] = written;
  expect(usual).toBe(line);
  expect(hostile.slice(0, -1)).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  if (style === 'json') expect(JSON.parse(hostile).path).toBe(path);
});

test('at level warn the log writes warnings and errors only', () => {
  const { log, written } = open('json', 'warn');
  for (const each of logLevels) log[each]('event');
  expect(written.map(line => JSON.parse(line).level)).toEqual(['warn', 'error']);
  expect(logLevels.filter(each => log.isEnabled(each))).toEqual(['warn', 'error']);
});

test('a path is logged without its query and tokens, and hidden if it could contain an email address', () => {
  expect(redactPath('/contact?email=zoe%40example.com')).toBe('/contact');
  for (const at of ['@', '%40', '%2540', '\uff20', '%u0040', '&#64;'])
    expect(redactPath(`/leave/zoe${at}example.com`)).toBe('(hidden)');
  for (const end of ['', '/', '.html'])
    expect(redactPath(`/audit/report/${'09afAF12'.repeat(4)}${end}`)).toBe(`/audit/report/(hidden)${end}`);
  expect(redactPath(`/${'x'.repeat(500)}`)).toHaveLength(200);
  expect(redactPath(`/${'x'.repeat(500)}%40`)).toBe('(hidden)');
});
