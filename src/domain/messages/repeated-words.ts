import { withoutWebAddresses } from './web-addresses.ts';

/** Shorter ones, such as 'please call me back', are written by many in the same words. */
const fewestLetters = 40;

/** What stays the same when one text is sent over and over: its letters alone. Nothing where there are too few. */
export function repeatedWords(message: string): string | undefined {
  const letters = withoutWebAddresses(message)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, '');
  return letters.length < fewestLetters ? undefined : letters;
}
