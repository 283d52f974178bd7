import type { SKRSContext2D } from '@napi-rs/canvas';
import type { FontFiles } from '../../../core/content/brand/brand-files.ts';
import { openGraphSize } from '../../../core/content/page-view.ts';
import { loadSvg, openCanvas, setFont } from './canvas.ts';
import { fitHeading, headingLineHeight, headingStyle } from './fit-heading.ts';

export type ImageTexts = {
  logoText: string;
  label: string;
  heading: string;
  host: string;
};

export type ImageStyle = {
  illustration: string;
  icon: string;
  colours: Record<'surface' | 'high' | 'text' | 'muted' | 'accent' | 'attention', string>;
};

const margin = 76;
const textBox = { width: 560, height: 300 };
const middle = 348;

export async function drawOpenGraphImage(
  texts: ImageTexts,
  style: ImageStyle,
  fonts: FontFiles,
): Promise<Buffer> {
  const { colours } = style;
  const { canvas, context } = openCanvas(openGraphSize.width, openGraphSize.height);
  await drawBackground(context, style);
  const write = (text: string, { weight, size, font, spacing = 0, x = margin, y }: TextStyle) => {
    const set = (scale: number) => {
      setFont(context, { files: fonts[font], fallback: fonts.text, weight, size: size * scale });
      context.letterSpacing = `${spacing * scale}px`;
      return context.measureText(text).width;
    };
    const maxWidth = margin + textBox.width - x;
    set(Math.min(1, maxWidth / set(1)));
    context.fillText(text, x, y);
  };

  context.fillStyle = colours.text;
  write(texts.logoText, { weight: 700, size: 36, font: 'text', spacing: -0.9, x: margin + 60, y: 105 });
  const { size, lines } = fitHeading(context, fonts.text, texts.heading, textBox);
  const step = size * headingLineHeight;
  const top = middle - (lines.length * step) / 2;
  lines.forEach((line, index) => {
    const y = top + index * step + size * 0.82;
    write(line, { ...headingStyle(size), x: margin - size * 0.04, y });
  });
  context.fillStyle = colours.accent;
  write(texts.label.toUpperCase(), { weight: 500, size: 20, font: 'code', spacing: 1.5, y: top - 26 });
  context.fillStyle = colours.muted;
  write(texts.host, { weight: 400, size: 24, font: 'code', y: 568 });
  return canvas.encode('jpeg', quality);
}

type TextStyle = {
  weight: number;
  size: number;
  font: keyof FontFiles;
  spacing?: number;
  x?: number;
  y: number;
};

const quality = 88;

async function drawBackground(
  context: SKRSContext2D,
  { illustration, icon, colours }: ImageStyle,
): Promise<void> {
  drawGradient(context, colours);
  await drawIllustration(context, paint(illustration, colours));
  context.drawImage(await loadSvg(icon, 72, 72), margin - 14, 57);
}

function drawGradient(context: SKRSContext2D, { surface, high }: ImageStyle['colours']): void {
  const { width, height } = openGraphSize;
  context.fillStyle = surface;
  context.fillRect(0, 0, width, height);
  const light = context.createRadialGradient(915, 310, 0, 915, 310, 580);
  light.addColorStop(0, high);
  light.addColorStop(1, `${high}00`);
  context.fillStyle = light;
  context.fillRect(0, 0, width, height);
}

async function drawIllustration(context: SKRSContext2D, svg: string): Promise<void> {
  const [, across, down] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const ratio = Number(across) / Number(down);
  const [kind, width]: ['background' | 'wide' | 'tall', number] =
    ratio > 2
      ? ['background', openGraphSize.height * ratio]
      : ratio > 1.2
        ? ['wide', 524]
        : ['tall', 560 * ratio];
  const height = width / ratio;
  const right = { background: openGraphSize.width, wide: 1190, tall: 1195 }[kind];
  const x = right - width;
  const y = kind === 'background' ? 0 : 318 - height / 2;
  context.drawImage(await loadSvg(svg, width, height), x, y);
}

function paint(svg: string, colours: ImageStyle['colours']): string {
  return svg
    .replaceAll('currentColor', colours.muted)
    .replaceAll(/var\(--(accent|attention)[^)]*\)/g, (_, name: 'accent' | 'attention') => colours[name]);
}
