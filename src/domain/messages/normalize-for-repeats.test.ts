import { expect, test } from 'vitest';
import { measureCpuMs } from '../../../tests/harness/cpu-time.ts';
import { normalizeForRepeats } from './score-message.ts';

const offer = 'Hello, we saw your site and can put it on the first page of every search';

test.each([
  offer.toUpperCase(),
  `  ${offer.replaceAll(' ', '\r\n')}!`,
  `${offer} from $199 (offer 4711)`.replace('from', '').replace('offer 4711', '4711'),
  `${offer} https://pills-17.example/x?y=1`,
  `www.other.example ${offer} third.example`,
])('%j is the same text', text => expect(normalizeForRepeats(text)).toBe(normalizeForRepeats(offer)));

test('different words are a different text', () => {
  expect(normalizeForRepeats(offer.replace('site', 'shop'))).not.toBe(normalizeForRepeats(offer));
  expect(normalizeForRepeats(offer)).toBeDefined();
});

test.each(['', 'Please call me back.', '1234567890'.repeat(10), 'https://a.example/'.repeat(10)])(
  '%j is too short to be compared',
  text => expect(normalizeForRepeats(text)).toBeUndefined(),
);

test('accents are part of a character in any normal form, and stacks of them are removed', () => {
  const accented = offer.replaceAll('e', 'é');
  expect(normalizeForRepeats(accented.normalize('NFD'))).toBe(normalizeForRepeats(accented));
  expect(normalizeForRepeats(accented)).not.toBe(normalizeForRepeats(offer));
  expect(normalizeForRepeats(offer.replaceAll('e', `e${'\u0301\u0316'.repeat(20)}`))).toBe(
    normalizeForRepeats(offer),
  );
});

test.each([
  ['hyphens', 'a-'.repeat(32_000)],
  ['what stands for a whole sentence', '\ufdfa'.repeat(21_000)],
  ['accents above and then below', `a${'\u0301'.repeat(16_000)}${'\u0316'.repeat(16_000)}`],
])('a text of %s does not take long', (_, text) => {
  expect(measureCpuMs(() => normalizeForRepeats(text))).toBeLessThan(250);
});
