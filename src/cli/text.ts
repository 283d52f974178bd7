import stringWidth from 'string-width';

export { visible } from '../lib/controls.ts';

/** How many columns of a terminal it takes, counted no further than is of interest. */
export function textWidth(text: string, most = Number.POSITIVE_INFINITY): number {
  if (isPlain(text)) return Math.min(text.length, most);
  let width = 0;
  for (const { segment } of letters.segment(text)) {
    width += letterWidth(segment);
    if (width >= most) return most;
  }
  return width;
}

/** As much of it as there is room for, and a sign that there is more. */
export function clip(text: string, room: number): string {
  if (textWidth(text, room + 1) <= room) return withoutTowers(text);
  let kept = '';
  let width = 0;
  for (const { segment } of letters.segment(text)) {
    width += letterWidth(segment);
    if (width > room - 1) break;
    kept += segment;
  }
  return `${withoutTowers(kept).trimEnd()}…`;
}

/** Lines of at most this width, broken between words where that is possible. */
export function wrap(line: string, room: number): string[] {
  if (textWidth(line, room + 1) <= room) return [withoutTowers(line)];
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const word of line.match(/\s+|\S+/gu) ?? []) {
    const wide = textWidth(word);
    if (width + wide > room && width > 0) {
      lines.push(current);
      [current, width] = ['', 0];
      if (!word.trim()) continue;
    }
    if (wide <= room) {
      current += word;
      width += wide;
      continue;
    }
    for (const { segment } of letters.segment(word)) {
      const step = letterWidth(segment);
      if (width + step > room && width > 0) {
        lines.push(current);
        [current, width] = ['', 0];
      }
      current += segment;
      width += step;
    }
  }
  if (current) lines.push(current);
  return lines.map(one => withoutTowers(one.trimEnd()));
}

/** What a reader takes for one letter: marks and joined signs belong to what stands before them. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Terminals draw the vowel signs and joined letters of Indian scripts beside each other, each in a column of its own;
 * only pictures become one.
 */
function letterWidth(letter: string): number {
  if (letter.length === 1 || /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(letter))
    return stringWidth(letter);
  if (!/\p{Mc}|\p{Mn}\p{L}/u.test(letter)) return stringWidth(letter);
  return [...letter].reduce((sum, sign) => sum + (/\p{Mc}/u.test(sign) ? 1 : stringWidth(sign)), 0);
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Marks piled up without end would be drawn over the lines above and below. */
function withoutTowers(text: string): string {
  return isPlain(text) ? text : text.replaceAll(/(\p{M}{4})\p{M}+/gu, '$1');
}
