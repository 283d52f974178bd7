import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormula, escapeInnerFormulas } from './escape-formula.ts';

/** Characters that spreadsheet programs are known to trim or ignore. */
const invisible = [
  ...' \t\r\n\v\f\0\x01\x1f\x7f\x80\x85\u00a0\u00ad\u034f\u061c\u115f\u1680\u180e\u2000\u2003\u2009\u200a\u200b\u200c',
  ...'\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u202f\u205f\u2060\u2064\u2066\u3000\u3164\ufe0f\ufeff\uffa0',
];
const dangerous = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];

const any = fc.string({ unit: 'binary', maxLength: 40 });
const blank = fc.string({ unit: fc.constantFrom('"', ...invisible), maxLength: 6 });
const hostile = fc.tuple(blank, fc.constantFrom(...dangerous), any).map(parts => parts.join(''));
const text = fc.oneof(
  any,
  hostile,
  fc.tuple(blank, any).map(parts => parts.join('')),
);

test('leaves what begins no formula unchanged', () => {
  for (const cell of ['Hello', '', ' Hello = you', "'=1", 'a@b.c', '1-2', '١', '👍🏽', '# =1', '"=1"'])
    expect(escapeFormula(cell)).toBe(cell);
});

test('no cell begins a formula once ignored characters are skipped', () => {
  fc.assert(
    fc.property(text, value => {
      const cell = escapeFormula(value);
      const seen = [...cell].find(character => !invisible.includes(character)) ?? '';
      expect(dangerous).not.toContain(seen);
      expect(['\t', '\r', '\n']).not.toContain(cell[0]);
      expect([value, `'${value}`]).toContain(cell);
    }),
    { numRuns: 300, examples: dangerous.map(sign => [`${sign}1+2`]) },
  );
});

test.each([
  ['hello;=HYPERLINK(1)', "hello;'=HYPERLINK(1)"],
  ['one\r\n\u200b -2+3', "one\r\n\u200b '-2+3"],
  ['a\t@b', "a\t'@b"],
  ['a;""=1;b', `a;""'=1;b`],
  ['a "=1"', 'a "=1"'],
  ['a = b; c', 'a = b; c'],
])('within a cell of a file, escapes %j as %j', (text, safe) => expect(escapeInnerFormulas(text)).toBe(safe));

test('no part of a cell begins a formula, whichever separator a program uses', () => {
  fc.assert(
    fc.property(fc.array(text), parts => {
      // At the very start quotes are doubled by the CSV writer, so the text begins with a word.
      const cell = escapeInnerFormulas(escapeFormula(`begin;${parts.join(';')}`));
      for (const torn of cell.split(/[;\t\r\n]/)) {
        const seen = [...torn].find(character => character !== '"' && !invisible.includes(character));
        expect(dangerous).not.toContain(seen ?? '');
      }
    }),
    { numRuns: 200 },
  );
});
