import { iconPaths } from '../../../lib/icon-paths.ts';
import { loadSvg, openCanvas } from './canvas.ts';

/** Systems crop some icons: their background goes to the edges, and the logo keeps away from them. */
const drawings: Record<string, (svg: string) => Promise<Buffer>> = {
  [iconPaths.ico]: async svg =>
    packIco(await Promise.all([draw(embolden(svg), 16), draw(svg, 32), draw(svg, 48)])),
  [iconPaths.touch]: svg => draw(svg, 180, 0.9),
  [iconPaths.small]: svg => draw(svg, 192),
  [iconPaths.large]: svg => draw(svg, 512),
  [iconPaths.maskable]: svg => draw(svg, 512, 0.8),
};

export function drawIcon(svg: string, path: string): Promise<Buffer> {
  const drawing = drawings[path];
  if (!drawing) throw new Error(`No icon is drawn for ${path}`);
  return drawing(svg);
}

/** At 16 pixels the lines would blur: the mark is enlarged and its lines are thicker. */
function embolden(svg: string): string {
  return svg
    .replace('viewBox="0 0 32 32"', 'viewBox="3 3 26 26"')
    .replaceAll(/stroke-width="([\d.]+)"/g, (_, width: string) => `stroke-width="${Number(width) * 1.4}"`);
}

async function draw(svg: string, size: number, scale?: number): Promise<Buffer> {
  const { canvas, context } = openCanvas(size, size);
  const drawn = size * (scale ?? 1);
  const image = await loadSvg(svg, drawn, drawn);
  if (scale) {
    context.drawImage(image, 0, 0, size, size);
    const [red, green, blue] = context.getImageData(size / 2, Math.round(size / 20), 1, 1).data;
    context.fillStyle = `rgb(${red} ${green} ${blue})`;
    context.fillRect(0, 0, size, size);
  }
  context.drawImage(image, (size - drawn) / 2, (size - drawn) / 2);
  return canvas.encode('png');
}

function packIco(images: Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let place = head.length;
  images.forEach((image, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(image.readUInt32BE(16), at);
    head.writeUInt8(image.readUInt32BE(20), at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(image.length, at + 8);
    head.writeUInt32LE(place, at + 12);
    place += image.length;
  });
  return Buffer.concat([head, ...images]);
}
