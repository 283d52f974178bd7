import type { SKRSContext2D } from '@napi-rs/canvas';
import type { FontFile } from '../../../core/content/brand/brand-files.ts';
import { setFont } from './canvas.ts';

type Box = { width: number; height: number };
type Measure = (text: string) => number;

const maxSize = 84;
const minSize = 44;
export const headingLineHeight = 1.08;

export function fitHeading(context: SKRSContext2D, files: FontFile[], heading: string, box: Box) {
  const words = heading.split(/[ \t\r\n]+/);
  for (let size = maxSize; ; size -= 4) {
    const { weight, spacing } = headingStyle(size);
    setFont(context, { files, weight, size });
    context.letterSpacing = `${spacing}px`;
    const measureWidth: Measure = text => context.measureText(text).width;
    const lines = breakLines(words, box.width, measureWidth);
    const isFit =
      lines.length * size * headingLineHeight <= box.height &&
      lines.every(line => measureWidth(line) <= box.width);
    if (isFit || size <= minSize) return { size, lines: balance(words, lines.length, box, measureWidth) };
  }
}

export function headingStyle(size: number) {
  return { weight: 600, size, font: 'text' as const, spacing: size * -0.03 };
}

export function breakLines(words: string[], width: number, measureWidth: Measure): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && measureWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function balance(words: string[], count: number, box: Box, measureWidth: Measure): string[] {
  let { width } = box;
  while (width > 200 && breakLines(words, width - 10, measureWidth).length === count) width -= 10;
  return breakLines(words, width, measureWidth);
}
