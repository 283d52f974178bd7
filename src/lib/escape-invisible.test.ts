import { expect, test } from 'vitest';
import { escapeInvisible } from './escape-invisible.ts';

test.each([
  ['Zoë 👩🏽‍💻 a\tb 日本語 x\u200dy', 'Zoë 👩🏽‍💻 a\tb 日本語 x\u200dy'],
  ['مرحبا 1', '\u2068مرحبا 1\u2069'],
  ['d\u001b[31m\u202eevil\u2066\0', 'd[U+001B][31m[U+202E]evil[U+2066][U+0000]'],
])('%j is shown as %j', (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});
