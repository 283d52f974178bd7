import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Canvas,
  createCanvas,
  GlobalFonts,
  type Image,
  loadImage,
  type SKRSContext2D,
} from '@napi-rs/canvas';

const fonts = resolve(import.meta.dirname, 'fonts');
let hasFonts = false;

export function openCanvas(width: number, height: number): { canvas: Canvas; context: SKRSContext2D } {
  if (!hasFonts) {
    GlobalFonts.register(readFileSync(join(fonts, 'instrument-sans.woff2')), 'Sans');
    GlobalFonts.register(readFileSync(join(fonts, 'geist-mono.woff2')), 'Mono');
    hasFonts = true;
  }
  const canvas = createCanvas(width, height);
  return { canvas, context: canvas.getContext('2d') };
}

export function loadSvg(svg: string, width: number, height: number): Promise<Image> {
  return loadImage(Buffer.from(svg.replace('<svg ', `<svg width="${width}" height="${height}" `)));
}
