// A quick path: most text is ASCII, and an index is filled with a million messages.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole
const plain = /^[\x00-\x7f]*$/;

/** Without regard to case and accents, in the same way on every database. */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}
