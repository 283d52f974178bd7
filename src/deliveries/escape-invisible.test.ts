import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeInvisible, escapeInvisibleLines } from './escape-invisible.ts';

test.each(['Zoë 👩🏽‍💻 a\tb', '日本語', '', 'x\u200dy'])('%j is shown unchanged', text => {
  expect(escapeInvisible(text)).toBe(text);
});

test('right-to-left text is isolated', () => {
  expect(escapeInvisible('مرحبا 1')).toBe('\u2068مرحبا 1\u2069');
});

test('every kind of line ending ends a line', () => {
  expect(escapeInvisibleLines('1\r\n2\n3\r4\v5\f6\u00857\u20288\u20299')).toEqual([...'123456789']);
});

test('no control, line or direction character is left', () => {
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
