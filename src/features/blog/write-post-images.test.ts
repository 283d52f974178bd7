import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import type { Post } from './blog-types.ts';
import { parsePostProse } from './post-prose.ts';
import { noLabels } from './read-post.ts';
import { listPostImages } from './write-post-images.ts';

const canvas = createCanvas(2000, 1000);

/** As a camera writes that was held on its side, with where it was. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.alloc(60);
  exif.write('Exif\0\0II*\0', 'latin1');
  exif.writeUInt32LE(8, 10);
  exif.writeUInt16LE(1, 14);
  exif.writeUInt16LE(0x0112, 16);
  exif.writeUInt16LE(3, 18);
  exif.writeUInt32LE(1, 20);
  exif.writeUInt16LE(orientation, 24);
  exif.write('51.5N 0.1W', 40, 'latin1');
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

function imagesOf(markdown: string, name: string, bytes: Buffer) {
  const folder = createTempFolder();
  writeFileSync(join(folder, name), bytes);
  const { images, errors } = parsePostProse(markdown, noLabels, folder);
  expect(errors).toEqual([]);
  return listPostImages([{ file: 'blog/2026-11-02-x.md', images } as Post]);
}

test('a wide picture is made in two sizes, and one that two posts show is made once', async () => {
  const wide = await canvas.encode('png');
  const files = imagesOf('![Wide](wide.png)\n\n![The same](wide.png)', 'wide.png', wide);
  expect(files.map(({ path }) => path.replace(/-[0-9a-f]{11}/, ''))).toEqual([
    '/blog/images/wide.webp',
    '/blog/images/wide-800.webp',
  ]);
  const images = await Promise.all(files.map(async ({ make }) => loadImage(Buffer.from(await make()))));
  expect(images.map(({ width, height }) => [width, height])).toEqual([
    [1600, 800],
    [800, 400],
  ]);
});

test('a photograph is upright and has no EXIF data', async () => {
  const turned = withOrientation(await canvas.encode('jpeg', 95), 6);
  const [file] = imagesOf('![Turned](turned.jpg)', 'turned.jpg', turned);
  const made = Buffer.from((await file?.make()) ?? '');
  expect(made.subarray(0, 4).toString()).toBe('RIFF');
  expect(made.includes('Exif') || made.includes('EXIF') || made.includes('51.5N')).toBe(false);
  const image = await loadImage(made);
  expect([image.width, image.height]).toEqual([1000, 2000]);
});

test('a damaged picture is reported with the line that shows it', async () => {
  const broken = await canvas.encode('webp', 80);
  const [file] = imagesOf('First.\n\n![Broken](broken.webp)', 'broken.webp', broken.fill(0xff, 40));
  await expect(file?.make()).rejects.toThrow(
    'content/blog/2026-11-02-x.md line 3: shows a picture that cannot be drawn',
  );
});
