import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { drawTable, fitWidths } from './table.ts';
import { clip, textWidth, visible, wrap } from './text.ts';

const head = ['reference', 'received', 'state', 'name', 'message'];
const about = ['2026-01-02T03:04:05.678Z', 'new'] as const;
const rows = [
  ['7X4QM-2KD9A', ...about, 'Zoe', 'Please call.'],
  ['7X4QM-2KD9B', ...about, 'Zoe\u0308 A\u030angstro\u0308m', 'word '.repeat(4000)],
  ['7X4QM-2KD9C', ...about, '山田 太郎', '見積もりをお願いします。'.repeat(20)],
  ['7X4QM-2KD9D', ...about, '👩‍👩‍👧 family', 'مرحبا بكم'],
  ['7X4QM-2KD9E', ...about, `Z${'\u0301'.repeat(5000)}`, '\x1b[2J\x1b]0;title\x07\u009b31m\nFrom: me\u202e'],
];

describe('a table', () => {
  test.each([60, 80, 120, 200])(
    'of %i columns has no longer lines, aligned, with whole references',
    width => {
      const lines = drawTable(head, rows, width).trimEnd().split('\n');
      expect(lines).toHaveLength(rows.length + 1);
      for (const [index, line] of lines.entries()) {
        expect(stringWidth(line)).toBeLessThanOrEqual(width);
        if (index > 0)
          expect(line.startsWith(`${rows[index - 1]?.[0]}  2026-01-02 03:04  new    `)).toBe(true);
      }
      // Whatever stands before it, the last column begins at the same place.
      const [start] = (lines[0] ?? '').split('message') as [string];
      const beginnings = ['Pl', 'wo', '見', 'م', ' '];
      for (const [index, line] of lines.slice(1).entries()) {
        const before = line.slice(0, line.lastIndexOf(`  ${beginnings[index]}`) + 2);
        expect(stringWidth(before)).toBe(start.length);
      }
    },
  );

  test('obeys nothing a cell says, and piles no marks up', () => {
    const drawn = drawTable(head, rows, 100);
    expect(drawn.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    expect(drawn).not.toMatch(/\u0301{5}/);
  });

  test('marks what is cut, and shows nothing of a column that is empty', () => {
    const drawn = drawTable(
      [...head, 'service'],
      rows.map(row => [...row, '']),
      80,
    );
    expect(drawn).not.toContain('service');
    expect(drawn.split('\n')[2]).toMatch(/word.*…$/);
    expect(drawn.split('\n')[1]).toMatch(/Please call\.$/);
  });

  test('on a terminal too narrow for it keeps the references', () => {
    const lines = drawTable(head, rows, 20).trimEnd().split('\n');
    for (const [index, line] of lines.slice(1).entries()) expect(line).toContain(rows[index]?.[0] as string);
  });
});

test.each([
  ['what fits is left alone', [11, 5, 8], 30, [11, 5, 8]],
  ['the widest give way first', [11, 5, 90, 40], 66, [11, 5, 25, 25]],
  ['what is left over goes to the first', [11, 50, 50], 52, [11, 21, 20]],
  ['times give way last', [11, 16, 50], 37, [11, 16, 10]],
  ['but give way', [11, 16, 50], 31, [11, 10, 10]],
])('%s', (_, natural, room, wanted) => {
  const isTime = natural.map(width => width === 16);
  expect(
    fitWidths(
      natural,
      room,
      natural.map(width => width === 11),
      isTime,
    ),
  ).toEqual(wanted);
});

test('text is measured and cut by what is seen of it', () => {
  expect(textWidth('日本')).toBe(4);
  expect(textWidth('x'.repeat(1e6), 80)).toBe(80);
  expect(clip('日本語', 5)).toBe('日本…');
  expect(clip('日本語', 6)).toBe('日本語');
  expect(clip('e\u0301'.repeat(6), 5)).toBe(`${'e\u0301'.repeat(4)}…`);
  expect(visible('a\r\nb\u2067c\u0085d')).toBe('a b c d');
});

test('text is wrapped between words, and within one that is too long', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('', 8)).toEqual(['']);
  expect(wrap(`see ${'x'.repeat(20)} there`, 8)).toEqual(['see', 'xxxxxxxx', 'xxxxxxxx', 'xxxx', 'there']);
  expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
});
