import { readFileSync } from 'node:fs';
import {
  type Canvas,
  createCanvas,
  GlobalFonts,
  type Image,
  loadImage,
  type SKRSContext2D,
} from '@napi-rs/canvas';
import type { FontFile } from '../../../core/content/brand/brand-files.ts';

export function openCanvas(width: number, height: number): { canvas: Canvas; context: SKRSContext2D } {
  const canvas = createCanvas(width, height);
  return { canvas, context: canvas.getContext('2d') };
}

type FontStyle = { files: FontFile[]; fallback?: FontFile[]; weight: number; size: number };

/** A character that the first file lacks is drawn from the next. */
export function setFont(context: SKRSContext2D, { files, fallback = [], weight, size }: FontStyle): void {
  const distance = ({ weights: [min, max] }: FontFile) => Math.max(min - weight, weight - max, 0);
  const byDistance = (one: FontFile, other: FontFile) => distance(one) - distance(other);
  const nearest = [...files.toSorted(byDistance), ...fallback.toSorted(byDistance)];
  const isCovered = nearest[0] !== undefined && distance(nearest[0]) < 200;
  // Skia would embolden a variable font that already has the weight.
  context.font = `${isCovered ? 400 : weight} ${size}px ${nearest.map(registerFont).join(', ')}, sans-serif`;
  context.fontVariationSettings = `"wght" ${weight}`;
}

const registered = new Set<string>();

function registerFont({ hash, path }: FontFile): string {
  const family = `font-${hash}`;
  if (!registered.has(family)) GlobalFonts.register(readFileSync(path), family);
  registered.add(family);
  return family;
}

export function loadSvg(svg: string, width: number, height: number): Promise<Image> {
  return loadImage(Buffer.from(svg.replace('<svg ', `<svg width="${width}" height="${height}" `)));
}
