import { removeUrls } from './score-message.ts';

/** Many people write shorter texts, such as 'please call me back', in the same words. */
const minLetters = 40;

/** Normalising thousands of combining marks on one letter takes seconds. The two letters become such marks in NFKC. */
const stackedAccents = /[\p{M}\uff9e\uff9f]{16,}/gu;

/** A text's letters without URLs, digits and punctuation, which spam varies; undefined if there are too few to compare. */
export function normalizeForRepeats(message: string): string | undefined {
  const letters = removeUrls(message)
    .replaceAll(stackedAccents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, '');
  return letters.length < minLetters ? undefined : letters;
}
