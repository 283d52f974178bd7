/** A long article has 20,000 characters. The time to parse a paragraph grows with the square of its length. */
const [maxLength, maxParagraph, maxLevels] = [100_000, 20_000, 20];

/** What would take seconds to parse, or more calls than the stack holds. */
export function findProseExcess(markdown: string): { line: number; reason: string } | undefined {
  if (markdown.length > maxLength) return { line: 1, reason: describe('is longer than', maxLength) };
  let length = 0;
  for (const [at, text] of markdown.split('\n').entries()) {
    const [lead = ''] = /^[\s>*+\-\d.)]*/.exec(text) ?? [];
    const levels = lead.match(/>|[*+-](?=\s)|\d[.)]/g)?.length ?? 0;
    if (levels > maxLevels) return { line: at + 1, reason: 'is nested too deeply' };
    length = text.trim() === '' ? 0 : length + text.length + 1;
    if (length > maxParagraph)
      return { line: at + 1, reason: describe('has a paragraph longer than', maxParagraph) };
  }
  return undefined;
}

function describe(what: string, characters: number): string {
  return `${what} ${characters.toLocaleString('en-GB')} characters`;
}
