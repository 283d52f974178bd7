import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { loadSvg, openCanvas } from './canvas.ts';
import { fitHeading, headingLead, headingLook } from './fit-heading.ts';
import { openGraphSize } from './open-graph-tags.ts';

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

export async function drawOpenGraphImage(texts: ImageTexts, look: ImageStyle): Promise<Buffer> {
  const { colours } = look;
  const { canvas, context } = openCanvas(openGraphSize.width, openGraphSize.height);
  context.drawImage(await drawStage(look), 0, 0);
  const write = (text: string, { weight, size, family, spacing = 0, x = margin, y }: Writing) => {
    const set = (scale: number) => {
      context.font = `${weight} ${size * scale}px ${family}`;
      context.letterSpacing = `${spacing * scale}px`;
      return context.measureText(text).width;
    };
    const maxWidth = margin + textBox.width - x;
    set(Math.min(1, maxWidth / set(1)));
    context.fillText(text, x, y);
  };

  context.fillStyle = colours.text;
  write(texts.logoText, { weight: 700, size: 36, family: 'Sans', spacing: -0.9, x: margin + 60, y: 105 });
  const { size, lines } = fitHeading(context, texts.heading, textBox);
  const step = size * headingLead;
  const top = middle - (lines.length * step) / 2;
  lines.forEach((line, index) => {
    const y = top + index * step + size * 0.82;
    write(line, { ...headingLook(size), x: margin - size * 0.04, y });
  });
  context.fillStyle = colours.accent;
  write(texts.label.toUpperCase(), { weight: 500, size: 20, family: 'Mono', spacing: 1.5, y: top - 26 });
  context.fillStyle = colours.muted;
  write(texts.host, { weight: 400, size: 24, family: 'Mono', y: 568 });
  return canvas.encode('jpeg', quality);
}

type Writing = {
  weight: number;
  size: number;
  family: 'Sans' | 'Mono';
  spacing?: number;
  x?: number;
  y: number;
};

/** Lines on dark stay clean from here on; the gradient would make a PNG three times as large. */
const quality = 88;

async function drawStage({ illustration, icon, colours }: ImageStyle): Promise<Canvas> {
  const { canvas, context } = openCanvas(openGraphSize.width, openGraphSize.height);
  drawGround(context, colours);
  await drawIllustration(context, paint(illustration, colours));
  context.drawImage(await loadSvg(icon, 72, 72), margin - 14, 57);
  return canvas;
}

function drawGround(context: SKRSContext2D, { surface, high }: ImageStyle['colours']): void {
  const { width, height } = openGraphSize;
  context.fillStyle = surface;
  context.fillRect(0, 0, width, height);
  const light = context.createRadialGradient(915, 310, 0, 915, 310, 580);
  light.addColorStop(0, high);
  light.addColorStop(1, `${high}00`);
  context.fillStyle = light;
  context.fillRect(0, 0, width, height);
}

/** A tall image fills the height, a wide one the space beside the text; a background lies under both. */
async function drawIllustration(context: SKRSContext2D, svg: string): Promise<void> {
  const [, across, down] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const ratio = Number(across) / Number(down);
  const [kind, width]: ['ground' | 'wide' | 'tall', number] =
    ratio > 2
      ? ['ground', openGraphSize.height * ratio]
      : ratio > 1.2
        ? ['wide', 524]
        : ['tall', 560 * ratio];
  const height = width / ratio;
  const right = { ground: openGraphSize.width, wide: 1190, tall: 1195 }[kind];
  const x = right - width;
  const y = kind === 'ground' ? 0 : 318 - height / 2;
  context.drawImage(await loadSvg(svg, width, height), x, y);
}

/** An SVG outside a page has no colours to inherit. */
function paint(svg: string, colours: ImageStyle['colours']): string {
  return svg
    .replaceAll('currentColor', colours.muted)
    .replaceAll(/var\(--(accent|attention)[^)]*\)/g, (_, name: 'accent' | 'attention') => colours[name]);
}
