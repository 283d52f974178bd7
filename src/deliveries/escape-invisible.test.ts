import { expect, test } from 'vitest';
import { escapeInvisible, escapeInvisibleLines } from './escape-invisible.ts';

test.each([
  ['Zoë 👩🏽‍💻 a\tb 日本語 x\u200dy', 'Zoë 👩🏽‍💻 a\tb 日本語 x\u200dy'],
  ['مرحبا 1', '\u2068مرحبا 1\u2069'],
  ['d\u001b[31m\u202eevil\u2066\0', 'd[U+001B][31m[U+202E]evil[U+2066][U+0000]'],
])('%j is shown as %j', (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

test('every kind of line ending ends a line', () => {
  expect(escapeInvisibleLines('1\r\n2\n3\r4\v5\f6\u00857\u20288\u20299')).toEqual([...'123456789']);
});
