import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { toHex } from '../../src/content/brand/colours.ts';
import { readContent } from '../../src/content/read-content.ts';
import { root } from './site.ts';

/** What the brand guide says in words, not in boxes: another logo, other fonts, and all other colours. */
export function rebrand(folder: string): void {
  const brand = join(folder, 'content/brand');
  writeFileSync(
    join(brand, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M10 1 19 18H1z"/></svg>\n',
  );
  const fonts = {
    'instrument-sans': 'new-sans',
    'instrument-sans-spare': 'more-sans',
    'geist-mono': 'new-code',
  };
  for (const [former, name] of Object.entries(fonts))
    renameSync(join(brand, `fonts/${former}.woff2`), join(brand, `fonts/${name}.woff2`));
  for (const file of readdirSync(join(brand, 'fonts')))
    if (file.endsWith('.txt')) rmSync(join(brand, 'fonts', file));
  const text = readFileSync(join(brand, 'brand.yaml'), 'utf8')
    .replaceAll(/file: ([\w-]+)\.woff2/g, (_, name: keyof typeof fonts) => `file: ${fonts[name]}.woff2`)
    .replace('family: Instrument Sans', 'family: New Sans')
    .replace('family: Geist Mono', 'family: New Code')
    .replaceAll(/oklch\((\S+) (\S+) (\S+)\)/g, (_, lightness, chroma, hue) => {
      return `oklch(${lightness} ${chroma} ${((Number(hue) + 200) % 360).toFixed(1)})`;
    });
  writeFileSync(join(brand, 'brand.yaml'), text);
}

/** What the shipped brand would be recognised by in a text. */
export function listFormerMarks(): string[] {
  const { content } = readContent(join(root, 'content'));
  if (!content) throw new Error('content/ has errors');
  const { name, fonts, logo, social, colours } = content.brand;
  const values = Object.values(colours).flatMap(theme => Object.values(theme ?? {}) as string[]);
  const written = values.map(value => value.replace(/^oklch\(|\)$/g, '').replaceAll(/ 0(?=\.)/g, ' '));
  const shapes = JSON.stringify(logo.shape).match(/(?<="d":")[^"]+/g) ?? [];
  const fontMarks = [fonts.text, fonts.code].flatMap(({ family, files }) => [
    family,
    ...files.map(({ file }) => file.replace('.woff2', '')),
  ]);
  const links = social.map(({ url }) => url);
  return [name, ...fontMarks, ...shapes, ...links, '© 2020', ...values, ...written, ...values.map(toHex)];
}

/** How many pixels of an image have nearly this colour. */
export async function countPixels(file: Buffer, hex: string): Promise<number> {
  const image = await loadImage(
    file.subarray(Math.max(file.lastIndexOf(Buffer.from('\x89PNG', 'latin1')), 0)),
  );
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const wanted = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (wanted.every((part, index) => Math.abs(part - (data[at + index] ?? 0)) < 16)) count += 1;
  return count;
}
