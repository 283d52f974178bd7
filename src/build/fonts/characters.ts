import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

type Range = [first: number, last: number];

/** What the files of src/site/fonts hold: Western European letters, and the marks that are set with them. */
const drawn: Range[] = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2c6, 0x2c6],
  [0x2da, 0x2da],
  [0x2dc, 0x2dc],
  [0x304, 0x304],
  [0x308, 0x308],
  [0x329, 0x329],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2191, 0x2191],
  [0x2193, 0x2193],
  [0x2212, 0x2212],
  [0x2215, 0x2215],
];

/** What visitors type, and what a browser puts in: the dot of a list, the hyphen of a word that it parts. */
const always: Range[] = [
  [0x20, 0x7e],
  [0xa0, 0xa0],
  [0xa3, 0xa3],
  [0x2010, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x20ac, 0x20ac],
];

/** `used` is on every page or may be at any moment; `spare` is for a name or a word that a visitor brings. */
export type Characters = { used: number[]; spare: number[] };

/** Which characters the words and the sources of the site hold: pages and scripts can show no others of their own. */
export function findCharacters(folders: string[]): Characters {
  const seen = new Set(numbers(always));
  for (const text of folders.flatMap(readTexts))
    for (const character of text + text.toUpperCase()) seen.add(character.codePointAt(0) ?? 0);
  const all = numbers(drawn);
  return { used: all.filter(one => seen.has(one)), spare: all.filter(one => !seen.has(one)) };
}

/** As CSS has it: 'U+20-7E,U+A0'. The shorter the better: characters that are not avoided may come with the others. */
export function unicodeRange(characters: number[], avoided?: number[]): string {
  const kept = new Set(avoided);
  const isFree = (from: number, to: number) =>
    avoided !== undefined && to - from < widestGap && numbers([[from, to]]).every(one => !kept.has(one));
  const ranges: Range[] = [];
  for (const one of characters.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && (last[1] === one - 1 || isFree(last[1] + 1, one - 1))) last[1] = one;
    else ranges.push([one, one]);
  }
  return ranges.map(([from, to]) => `U+${hex(from)}${from === to ? '' : `-${hex(to)}`}`).join(',');
}

/** No further than alphabets of one kind reach. */
const widestGap = 0x100;

function hex(value: number): string {
  return value.toString(16).toUpperCase();
}

function numbers(ranges: Range[]): number[] {
  return ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
}

const texts = new Set(['.yaml', '.md', '.ts', '.tsx', '.css']);

function readTexts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => texts.has(extname(name)) && !/\.test\.tsx?$|^README/.test(name))
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}
