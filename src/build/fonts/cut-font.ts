/// <reference path="./subset-font.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { keepDrawn, keyOf } from '../found/kept.ts';

const kept = resolve(import.meta.dirname, '../../../.cache/fonts');

/** What our style sheets ask for, and what makes words look right without being asked for. */
const features = ['calt', 'ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig', 'tnum'];

export type Cut = { characters: number[]; weights: { min: number; max: number } };

/** Writes a font with these characters and weights alone, unless an earlier build has, and returns its file. */
export async function cutFont(source: string, name: string, cut: Cut): Promise<string> {
  const body = readFileSync(source);
  const folder = join(kept, keyOf(body.toString('base64'), cut, features, cutter()));
  const file = `${basename(name)}.woff2`;
  await keepDrawn(
    file,
    async () => {
      const { default: subset } = await import('subset-font');
      return subset(body, String.fromCodePoint(...cut.characters), {
        targetFormat: 'woff2',
        keepFeatures: features,
        variationAxes: { wght: cut.weights },
      });
    },
    folder,
  );
  return join(folder, file);
}

/** Another cutter may cut otherwise. */
function cutter(): string {
  return createRequire(import.meta.url)('subset-font/package.json').version;
}
