import { withoutWebAddresses } from './score-message.ts';

/** Shorter ones, such as 'please call me back', are written by many in the same words. */
const fewestLetters = 40;

/** Normalising thousands of combining marks on one letter takes seconds. The two letters become such marks in NFKC. */
const heapedAccents = /[\p{M}\uff9e\uff9f]{16,}/gu;

/** The letters that stay the same when one text is sent repeatedly; undefined if there are too few. */
export function repeatedWords(message: string): string | undefined {
  const letters = withoutWebAddresses(message)
    .replaceAll(heapedAccents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, '');
  return letters.length < fewestLetters ? undefined : letters;
}
