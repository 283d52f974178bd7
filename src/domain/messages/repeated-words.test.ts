import { expect, test } from 'vitest';
import { repeatedWords } from './repeated-words.ts';

const offer = 'Hello, we saw your site and can put it on the first page of every search';

test.each([
  offer.toUpperCase(),
  `  ${offer.replaceAll(' ', '\r\n')}!`,
  `${offer} from $199 (offer 4711)`.replace('from', '').replace('offer 4711', '4711'),
  `${offer} https://pills-17.example/x?y=1`,
  `www.other.example ${offer} third.example`,
])('%j is the same text', text => expect(repeatedWords(text)).toBe(repeatedWords(offer)));

test('other words are another text', () => {
  expect(repeatedWords(offer.replace('site', 'shop'))).not.toBe(repeatedWords(offer));
  expect(repeatedWords(offer)).toBeDefined();
});

test.each(['', 'Please call me back.', '1234567890'.repeat(10), 'https://a.example/'.repeat(10)])(
  '%j is too short to be told from another',
  text => expect(repeatedWords(text)).toBeUndefined(),
);

test('no text takes long', () => {
  const started = performance.now();
  for (const text of ['a-'.repeat(32_000), '\ufdfa'.repeat(21_000), 'x '.repeat(32_000)]) repeatedWords(text);
  expect(performance.now() - started).toBeLessThan(500);
});
