import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effortOf } from '../../tests/harness/effort.ts';
import { formulaSafe, safeWithin } from './formula-safe.ts';

/** What spreadsheet programs are known to trim or overlook, written out by hand. */
const invisible = [
  ...' \t\r\n\v\f\0\x01\x1f\x7f\x80\x85\u00a0\u00ad\u034f\u061c\u115f\u1680\u180e\u2000\u2003\u2009\u200a\u200b\u200c',
  ...'\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u202f\u205f\u2060\u2064\u2066\u3000\u3164\ufe0f\ufeff\uffa0',
];
const dangerous = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];

const any = fc.string({ unit: 'binary', maxLength: 40 });
const blank = fc.string({ unit: fc.constantFrom(...invisible), maxLength: 6 });
const quoted = fc.string({ unit: fc.constantFrom('"', ...invisible), maxLength: 6 });
const hostile = fc.tuple(blank, fc.constantFrom(...dangerous), any).map(parts => parts.join(''));
const text = fc.oneof(
  any,
  hostile,
  fc.tuple(blank, any).map(parts => parts.join('')),
);

test.each(dangerous)('a cell that begins with %s becomes text', character => {
  expect(formulaSafe(`${character}1+2`)).toBe(`'${character}1+2`);
});

test.each(['\t', '\r', '\n'])('a cell that begins with %j becomes text, whatever follows', character => {
  expect(formulaSafe(`${character}Hello`)).toBe(`'${character}Hello`);
});

test.each(['Hello', '', ' Hello = you', "'=1", 'a@b.c', '1-2', '١', '👍🏽', '# =1', '"=1"'])(
  '%j stays as it is',
  cell => {
    expect(formulaSafe(cell)).toBe(cell);
  },
);

test('a long run of blanks takes no time', () => {
  const text = `${' \u200b'.repeat(200_000)}x`;
  expect(effortOf(() => formulaSafe(text))).toBeLessThan(500);
});

describe('for any text', () => {
  test('no cell begins with what begins a formula, seen as a spreadsheet program sees it', () => {
    fc.assert(
      fc.property(text, value => {
        const cell = formulaSafe(value);
        const seen = [...cell].find(character => !invisible.includes(character)) ?? '';
        expect(dangerous).not.toContain(seen);
        expect(['\t', '\r', '\n']).not.toContain(cell[0]);
      }),
      { numRuns: 2000 },
    );
  });

  test('nothing but the apostrophe is added, and nothing is taken away', () => {
    fc.assert(
      fc.property(text, value => {
        const cell = formulaSafe(value);
        expect(cell === value || cell === `'${value}`).toBe(true);
        expect(formulaSafe(cell)).toBe(cell);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('within a cell of a file', () => {
  test.each([
    ['hello;=HYPERLINK(1)', "hello;'=HYPERLINK(1)"],
    ['one\r\n\u200b -2+3', "one\r\n\u200b '-2+3"],
    ['a\t@b', "a\t'@b"],
    ['a;""=1;b', `a;""'=1;b`],
    ['a\n" +1"', `a\n" '+1"`],
    ['a "=1"', 'a "=1"'],
    ['a = b; c', 'a = b; c'],
    ['a-b, +1', 'a-b, +1'],
  ])('%j becomes %j', (text, safe) => expect(safeWithin(text)).toBe(safe));

  test('no part begins a formula, whichever separator a program takes', () => {
    const part = fc.oneof(
      text,
      fc.tuple(quoted, hostile).map(both => both.join('')),
    );
    fc.assert(
      fc.property(fc.array(part), parts => {
        // Quotes mean something where a cell begins: not at the front of ours, where they are doubled within quotes.
        const cell = safeWithin(formulaSafe(`begin;${parts.join(';')}`));
        for (const torn of cell.split(/[;\t\r\n]/)) {
          const seen = [...torn].find(character => character !== '"' && !invisible.includes(character));
          expect(dangerous).not.toContain(seen ?? '');
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a long run of separators takes no time', () => {
    expect(effortOf(() => safeWithin('\n;'.repeat(32_000)))).toBeLessThan(500);
  });
});
