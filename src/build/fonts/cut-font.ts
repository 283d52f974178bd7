/// <reference path="./subset-font.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { keepMade, keptFolders, keyOf } from '../kept.ts';

/** What our style sheets ask for, and what makes words look right without being asked for. */
const features = ['calt', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig', 'tnum'];

export type Cut = { characters: number[]; weights: { min: number; max: number } };

/** Writes a font with these characters and weights alone, unless an earlier build has, and returns its file. */
export async function cutFont(source: string, name: string, cut: Cut): Promise<string> {
  const body = readFileSync(source);
  const folder = join(keptFolders.fonts, keyOf(body.toString('base64'), cut, features, cutter()));
  const file = `${basename(name)}.woff2`;
  await keepMade(folder, file, async () => {
    const { default: subset } = await import('subset-font');
    return subset(body, String.fromCodePoint(...cut.characters), {
      targetFormat: 'woff2',
      keepFeatures: features,
      variationAxes: { wght: cut.weights },
    });
  });
  return join(folder, file);
}

/** Another cutter may cut otherwise. */
function cutter(): string {
  return createRequire(import.meta.url)('subset-font/package.json').version;
}
