import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { parseDocument } from 'yaml';
import { readContent } from '../../src/apps/content.ts';
import { toHex } from '../../src/core/content/brand/colours.ts';
import { root } from './site.ts';

/** What the brand guide says in words, not in boxes: another logo, other fonts, and all other colours. */
export function rebrand(folder: string): void {
  const brand = join(folder, 'content/brand');
  writeFileSync(
    join(brand, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M10 1 19 18H1z"/></svg>\n',
  );
  for (const file of readdirSync(join(brand, 'fonts')))
    if (file.endsWith('.txt')) rmSync(join(brand, 'fonts', file));
  const counts = { files: 0, families: 0 };
  const text = readFileSync(join(brand, 'brand.yaml'), 'utf8')
    .replaceAll(/(?<=file: )\S+(?=\.woff2)/g, former => {
      const name = `renamed-${++counts.files}`;
      renameSync(join(brand, `fonts/${former}.woff2`), join(brand, `fonts/${name}.woff2`));
      return name;
    })
    .replaceAll(/(?<=family: ).*/g, () => `Renamed ${++counts.families}`)
    .replaceAll(/oklch\((\S+) (\S+) (\S+)\)/g, (_, lightness, chroma, hue) => {
      return `oklch(${lightness} ${chroma} ${((Number(hue) + 200) % 360).toFixed(1)})`;
    });
  writeFileSync(join(brand, 'brand.yaml'), text);
}

/** Puts what the tests need of an owner's words in the place of what is published. */
export function useOwnContent(folder: string): void {
  const [content, own] = [join(folder, 'content'), join(root, 'tests/content')];
  const fonts = parseDocument(readFileSync(join(content, 'brand/brand.yaml'), 'utf8')).get('fonts', true);
  rmSync(join(content, 'blog'), { recursive: true, force: true });
  cpSync(own, content, { recursive: true });
  const brand = parseDocument(readFileSync(join(own, 'brand/brand.yaml'), 'utf8'));
  brand.set('fonts', fonts);
  writeFileSync(join(content, 'brand/brand.yaml'), brand.toString({ lineWidth: 0 }));
}

/** What the brand of a content folder would be recognised by in a text. */
export function listBrandMarks(folder: string): string[] {
  const { content } = readContent(folder);
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
