import { describe, expect, test } from 'vitest';
import { drawTable } from './table.ts';

const head = ['reference', 'received', 'state', 'name', 'service', 'message'];
const about = ['2026-01-02T03:04:05.678Z', 'new'] as const;
const rows = [
  ['7X4QM-2KD9A', ...about, 'Zoe', '', 'Please call.'],
  ['7X4QM-2KD9B', ...about, 'Zoe\u0308 A\u030angstro\u0308m', '', 'word '.repeat(4000)],
  ['7X4QM-2KD9C', ...about, '山田 太郎', '', '見積もりをお願いします。'.repeat(20)],
  [
    '7X4QM-2KD9D',
    ...about,
    `Z${'\u0301'.repeat(5000)}`,
    '',
    '\x1b[2J\x1b]0;title\x07\u009b31m\nFrom: me\u202e',
  ],
];

/** Columns in a terminal. */
function displayWidth(text: string): number {
  const wide = text.match(/[\p{Script=Han}\p{Script=Hiragana}\u3000-\u303f]/gu)?.length ?? 0;
  return text.replaceAll(/\p{M}/gu, '').length + wide;
}

describe('a table', () => {
  test.each([80, 120, 200])('of %i columns has one truncated, aligned line per row', width => {
    const lines = drawTable(head, rows, width);
    expect(lines).toHaveLength(rows.length + 1);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    const start = (lines[0] ?? '').indexOf('message');
    for (const [index, begin] of ['Please call.', 'word', '見', ' [2J'].entries()) {
      const line = lines[index + 1] ?? '';
      expect(line.startsWith(`${rows[index]?.[0]}  2026-01-02 03:04  new    `)).toBe(true);
      expect(displayWidth(line.slice(0, line.indexOf(begin)))).toBe(start);
    }
    expect(lines[2]).toMatch(/word.*…$/);
  });

  test('replaces control characters, limits combining marks and omits empty columns', () => {
    const drawn = drawTable(head, rows, 100).join('');
    expect(drawn).not.toMatch(/[\p{Cc}\u202a-\u202e]|\u0301{5}/u);
    expect(drawn).not.toContain('service');
  });
});
