import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { beforeAll, describe, expect, test } from 'vitest';

const site = resolve(import.meta.dirname, '../../site');
const sans = join(import.meta.dirname, 'fonts/instrument-sans.woff2');

/** Widths are thousandths of an em per character of the sample. Roboto's follow from the averages that capsize publishes. */
describe('the fallback font has the same metrics:', () => {
  const text =
    'We look at your systems the way an intruder would, and write down what we find in words that everyone can follow. Each finding says what was seen, where it is, how bad it could become, and what to do about it first.';
  const headings =
    'Wardhouse keeps the quiet hours quiet. Our Services: Protective Security Solutions. What we would tell you across the table. How do I request a service? Get A Free Cyber Security Audit.';
  const samples = { 400: text, 600: headings };
  const others = [
    ['Like Arial', '400', 441.05],
    ['Like Arial', '500 700', 480.92],
    ['Like Roboto', '400', 444.46],
    ['Like Roboto', '500 700', 453.03],
    ['Like Open Sans', '400', 465.06],
    ['Like Open Sans', '500 700', 498.13],
  ] as const;
  const styles = readFileSync(join(site, 'styles/fonts.css'), 'utf8');
  const faces = [...styles.matchAll(/@font-face \{(.*?)\}/gs)].map(([, rules = '']) => rules);
  const ours: Record<string, { width: number; ascent: number; descent: number }> = {};

  beforeAll(() => {
    GlobalFonts.register(readFileSync(sans), 'Measured Sans');
    for (const weight of [400, 600] as const) {
      const sample = samples[weight];
      const context = createCanvas(1, 1).getContext('2d');
      context.font = '1000px "Measured Sans"';
      context.fontVariationSettings = `'wght' ${weight}`;
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
