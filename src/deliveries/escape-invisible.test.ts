import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeInvisible, escapeInvisibleLines } from './escape-invisible.ts';

test.each(['Zoë 👩🏽‍💻 a\tb', '日本語', '', 'x\u200dy'])('%j is shown as it is', text => {
  expect(escapeInvisible(text)).toBe(text);
});

test('what reads from right to left is set apart', () => {
  expect(escapeInvisible('مرحبا 1')).toBe('\u2068مرحبا 1\u2069');
});

test('every way to end a line ends one', () => {
  expect(escapeInvisibleLines('1\r\n2\n3\r4\v5\f6\u00857\u20288\u20299')).toEqual([...'123456789']);
});

test('nothing is left that could break, steer or turn a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      for (const line of [escapeInvisible(text), ...escapeInvisibleLines(text)]) {
        const inner = /^\u2068(.*)\u2069$/su.exec(line)?.[1] ?? line;
        expect(inner.replaceAll('\t', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(line.isWellFormed()).toBe(true);
      }
    }),
  );
});
