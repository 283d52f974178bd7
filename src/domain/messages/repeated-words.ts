import { withoutWebAddresses } from './web-addresses.ts';

/** Shorter ones, such as 'please call me back', are written by many in the same words. */
const fewestLetters = 40;

/**
 * More accents on one letter than any language writes. To put a whole message of them in order takes a second or more, and
 * these two letters become such accents themselves.
 */
const heapedAccents = /[\p{M}\uff9e\uff9f]{16,}/gu;

/** What stays the same when one text is sent over and over: its letters alone. Nothing where there are too few. */
export function repeatedWords(message: string): string | undefined {
  const letters = withoutWebAddresses(message)
    .replaceAll(heapedAccents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, '');
  return letters.length < fewestLetters ? undefined : letters;
}
