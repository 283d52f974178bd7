import { createCanvas, loadImage } from '@napi-rs/canvas';

/** Read from the file's header, without a decoder. */
export function readPngSize(png: Buffer): [width: number, height: number] {
  if (png.toString('latin1', 1, 4) !== 'PNG') throw new Error('This is no PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

/** The widths in an icon's directory, each compared with its image. */
export function readIco(ico: Buffer): number[] {
  if (ico.readUInt32LE(0) !== 0x10000) throw new Error('This is no icon');
  let end = 0;
  const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index;
    const [length, place] = [ico.readUInt32LE(at + 8), ico.readUInt32LE(at + 12)];
    end = Math.max(end, place + length);
    const [width, height] = readPngSize(ico.subarray(place, place + length));
    if (width !== ico.readUInt8(at) || height !== ico.readUInt8(at + 1))
      throw new Error(`The directory says another size than ${width} × ${height}`);
    return width;
  });
  if (end !== ico.length) throw new Error('The directory and the file end in different places');
  return sizes;
}

type Brightness = {
  darkest: number;
  brightest: number;
  /** The share that is not background. */
  share: number;
  corner: number[];
};

export async function measureBrightness(picture: Buffer): Promise<Brightness> {
  const image = await loadImage(picture);
  // As small as in a list of chats.
  const scale = Math.min(1, 300 / image.width);
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const levels = Array.from({ length: data.length / 4 }, (_, index) =>
    Math.max(data[index * 4] ?? 0, data[index * 4 + 1] ?? 0, data[index * 4 + 2] ?? 0),
  );
  return {
    darkest: levels.reduce((least, level) => Math.min(least, level)),
    brightest: levels.reduce((most, level) => Math.max(most, level)),
    share: levels.filter(level => level > 80).length / levels.length,
    corner: [...data.slice(0, 4)],
  };
}
