/** Writes line breaks, controls and bidirectional marks as numbers; the exact text stays in the database. */
export function escapeInvisible(text: string): string {
  const line = text.toWellFormed().replaceAll(unseen, asNumber);
  // Isolates right-to-left text, so that it cannot move a label to its other side.
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line;
}

export function escapeInvisibleLines(text: string): string[] {
  return text.split(lineEnd).map(escapeInvisible);
}

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const unseen = /(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function asNumber(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
