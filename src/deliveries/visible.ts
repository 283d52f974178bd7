/**
 * What a visitor wrote, on its way to somebody's eyes. Whatever could break a line, steer a terminal or turn the reading
 * direction of what stands beside it is written as its number; the exact text stays in the database.
 */
export function visibleLine(text: string): string {
  const line = text.toWellFormed().replaceAll(unseen, asNumber);
  // Text that reads from right to left is set apart, so that it cannot pull a label or a bar to its other side.
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line;
}

/** The same for text of several lines, however they are ended. */
export function visibleLines(text: string): string[] {
  return text.split(lineEnd).map(visibleLine);
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
/** Controls but for the tab, separators, and what embeds, overrides or isolates a direction. */
const unseen = /(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function asNumber(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
