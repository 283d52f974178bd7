import { describe, expect, test } from 'vitest';
import { createLog, type LogLevel, logLevels, redactPath } from './log.ts';

const clock = { now: () => new Date('2026-01-02T03:04:05.678Z') };

/** Line ends of every kind, terminal escape sequences and bidirectional controls. */
const hostile =
  'x\n12:00:00 info  forged\r\n\u2028\u2029\u0085\u001b[2J\u009b2J\u0000\u202ex\u2066\u061c\u200e\u200f';
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe('the JSON log', () => {
  test('writes one JSON object per line', () => {
    const { log, written } = open('json');
    log.info('request', { path: '/contact', status: 200, hidden: false, nothing: undefined });
    log.error('failed');
    expect(written).toEqual([
      '{"time":"2026-01-02T03:04:05.678Z","level":"info","event":"request","path":"/contact","status":200,"hidden":false}\n',
      '{"time":"2026-01-02T03:04:05.678Z","level":"error","event":"failed"}\n',
    ]);
  });

  test('keeps a hostile value complete and on one line', () => {
    const { log, written } = open('json');
    log.info('request', { path: hostile });
    expect(written.join('').slice(0, -1)).not.toMatch(controls);
    expect(JSON.parse(written.join('')).path).toBe(hostile);
  });
});

describe('the readable log', () => {
  test('writes time, level, event and fields', () => {
    const { log, written } = open('readable');
    log.warn('request', { path: '/contact', status: 404, reason: 'no such "page"', nothing: undefined });
    expect(written).toEqual([
      '03:04:05 warn  request path=/contact status=404 reason="no such \\"page\\""\n',
    ]);
  });

  test('lets no value imitate a log line', () => {
    const { log, written } = open('readable');
    log.info('request', { path: hostile });
    expect(written).toHaveLength(1);
    expect(written.join('').slice(0, -1)).not.toMatch(controls);
  });
});

test('at level warn the log writes warnings and errors only', () => {
  const { log, written } = open('json', 'warn');
  for (const each of logLevels) log[each]('event');
  expect(written.map(line => JSON.parse(line).level)).toEqual(['warn', 'error']);
  expect(logLevels.filter(each => log.isEnabled(each))).toEqual(['warn', 'error']);
});

test('a path is logged without its query, and hidden if it could contain an email address', () => {
  expect(redactPath('/contact?email=zoe%40example.com')).toBe('/contact');
  expect(redactPath('/leave/zoe@example.com')).toBe('(hidden)');
  for (const at of ['%40', '%2540', '%25%34%30', '\uff20', '%C1%80', '%u0040', '&#64;'])
    expect(redactPath(`/leave/zoe${at}example.com`)).toBe('(hidden)');
  const token = '09afAF'.repeat(6).slice(0, 32);
  for (const end of ['', '/', '.', '.html', '--'])
    expect(redactPath(`/audit/report/${token}${end}`)).toBe(`/audit/report/(hidden)${end}`);
  expect(redactPath(`/${'x'.repeat(500)}`)).toHaveLength(200);
  expect(redactPath(`/${'x'.repeat(500)}%40`)).toBe('(hidden)');
});

function open(style: 'json' | 'readable', level: LogLevel = 'info') {
  const written: string[] = [];
  return { log: createLog({ clock, level, style, write: line => written.push(line) }), written };
}
