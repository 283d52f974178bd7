import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import subset from 'subset-font';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findCharacters, unicodeRange } from './characters.ts';
import { cutFont } from './cut-font.ts';

const site = resolve(import.meta.dirname, '../../site');
const sans = join(site, 'fonts/instrument-sans.woff2');

test('what the words and the sources hold is used, in capitals too, and all else the font has is spare', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-fonts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'letters'));
  writeFileSync(join(folder, 'letters/a.md'), 'café');
  writeFileSync(join(folder, 'page.tsx'), '<b>©</b>');
  writeFileSync(join(folder, 'page.test.tsx'), 'ß');
  const { used, spare } = findCharacters([folder]);
  const among = (list: number[]) => [...'aZ£éÉ©ßñ'].filter(one => list.includes(one.codePointAt(0) ?? 0));
  expect(among(used).join('')).toBe('aZ£éÉ©');
  expect(among(spare).join('')).toBe('ßñ');
});

test('a range is written as style sheets read it', () => {
  expect(unicodeRange([0x41, 0x42, 0x43, 0xe9, 0x2014, 0x2013])).toBe('U+41-43,U+E9,U+2013-2014');
});

test('a font is cut once, and cut again when it is cut otherwise', async () => {
  const weights = { min: 400, max: 700 };
  const cut = (text: string) =>
    cutFont(sans, 'sample', { characters: [...text].map(one => one.codePointAt(0) ?? 0), weights });
  const [first, second, other] = [await cut('abc'), await cut('abc'), await cut('abcd')];
  expect(second).toBe(first);
  expect(other).not.toBe(first);
  expect(readFileSync(first).length).toBeLessThan(readFileSync(sans).length / 5);
});

/** Widths are thousandths of an em per letter of `sample`. Roboto's follow from the averages that capsize publishes. */
describe('what stands in for the font of the house takes the same room:', () => {
  const sample =
    'We look at your systems the way an intruder would, and write down what we find in words that everyone can follow. Each finding says what was seen, where it is, how bad it could become, and what to do about it first.';
  const others = [
    ['Like Arial', '400', 441.05],
    ['Like Arial', '500 700', 475.41],
    ['Like Roboto', '400', 444.46],
    ['Like Roboto', '500 700', 447.84],
    ['Like Open Sans', '400', 465.06],
    ['Like Open Sans', '500 700', 500.39],
  ] as const;
  const styles = readFileSync(join(site, 'styles/fonts.css'), 'utf8');
  const faces = [...styles.matchAll(/@font-face \{(.*?)\}/gs)].map(([, rules = '']) => rules);
  const ours: Record<string, { width: number; ascent: number; descent: number }> = {};

  beforeAll(async () => {
    for (const weight of [400, 600]) {
      const cut = { targetFormat: 'sfnt', variationAxes: { wght: weight } } as const;
      GlobalFonts.register(await subset(readFileSync(sans), sample, cut), `Sans ${weight}`);
      const context = createCanvas(1, 1).getContext('2d');
      context.font = `1000px "Sans ${weight}"`;
      const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(sample);
      ours[weight] = {
        width: width / sample.length,
        ascent: fontBoundingBoxAscent / 10,
        descent: fontBoundingBoxDescent / 10,
      };
    }
  });

  test.each(others)('%s, weight %s', (family, weight, width) => {
    const face = faces.find(rules => rules.includes(`"${family}"`) && rules.includes(`weight: ${weight};`));
    const rule = (name: string) => Number(new RegExp(`${name}: ([\\d.]+)%`).exec(face ?? '')?.[1]);
    const font = ours[weight === '400' ? 400 : 600];
    if (!font) throw new Error('not measured');
    const adjust = rule('size-adjust');
    expect(Math.abs(adjust - (font.width / width) * 100)).toBeLessThan(0.7);
    expect(rule('ascent-override')).toBeCloseTo((font.ascent / adjust) * 100, 1);
    expect(rule('descent-override')).toBeCloseTo((font.descent / adjust) * 100, 1);
    expect(rule('line-gap-override')).toBe(0);
  });
});
