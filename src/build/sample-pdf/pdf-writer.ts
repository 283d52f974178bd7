import { Path2D, PDFDocument, type SKRSContext2D } from '@napi-rs/canvas';
import { getHexColour, type ThemeName } from '../../content/brand/theme-colours.ts';
import type { Brand } from '../../content/schemas/brand.ts';
import { setFont } from '../seo/canvas.ts';
import { breakLines } from '../seo/fit-heading.ts';

/** A4, in points. */
export const pageSize = { width: 595, height: 842 };
const margin = 56;
const bottom = pageSize.height - 72;
export const fullWidth: Column = { x: margin, width: pageSize.width - 2 * margin };

export type Column = { x: number; width: number };
type Colour = 'surface' | 'high' | 'raised' | 'hairline' | 'edge' | 'text' | 'muted' | 'accent' | 'attention';
type Style = {
  font: 'text' | 'code';
  weight: number;
  size: number;
  lineHeight: number;
  colour: Colour;
  spacing?: number;
};

const styles = {
  title: { font: 'text', weight: 600, size: 34, lineHeight: 38, colour: 'text', spacing: -1 },
  heading: { font: 'text', weight: 600, size: 22, lineHeight: 27, colour: 'text', spacing: -0.6 },
  subheading: { font: 'text', weight: 600, size: 14, lineHeight: 19, colour: 'text', spacing: -0.2 },
  lead: { font: 'text', weight: 400, size: 12, lineHeight: 18, colour: 'text' },
  body: { font: 'text', weight: 400, size: 10.5, lineHeight: 15.5, colour: 'text' },
  strong: { font: 'text', weight: 600, size: 10.5, lineHeight: 15.5, colour: 'text' },
  small: { font: 'text', weight: 400, size: 9, lineHeight: 13, colour: 'muted' },
  term: { font: 'code', weight: 500, size: 7.5, lineHeight: 13, colour: 'accent', spacing: 0.6 },
  code: { font: 'code', weight: 400, size: 8.5, lineHeight: 13, colour: 'text' },
} satisfies Record<string, Style>;

export type StyleName = keyof typeof styles;
type TextOptions = { column?: Column; colour?: Colour; align?: 'left' | 'right' | 'center' };
export type Cell = TextOptions & { text: string; style: StyleName; column: Column };
type Paint = { fill?: Colour; stroke?: Colour; lineWidth?: number; dash?: number[]; opacity?: number };

export type PdfWriter = ReturnType<typeof openPdfWriter>;

type WriterOptions = {
  brand: Brand;
  metadata: { title: string; subject: string };
  /** Lines by style, width and text: measuring is slow. */
  brokenTexts: Map<string, string[]>;
  /** Draws what every page has: the frame around the text. */
  drawFrame(pageNumber: number): void;
};

/** Writes down the page from `y`, and continues on a new page where the text does not fit. */
export function openPdfWriter({ brand, metadata, brokenTexts, drawFrame }: WriterOptions) {
  const document = new PDFDocument({ ...metadata, author: brand.name, creator: brand.name });
  let context: SKRSContext2D;
  let pageNumber = 0;
  let theme: ThemeName = 'paper';
  const colourOf = (name: Colour) => getHexColour(brand.colours, theme, name);

  function applyStyle(name: StyleName): Style {
    const style: Style = styles[name];
    setFont(context, { files: brand.fontFiles[style.font], fallback: brand.fontFiles.text, ...style });
    context.letterSpacing = `${style.spacing ?? 0}px`;
    return style;
  }

  function breakText(text: string, style: StyleName, { width }: Column): string[] {
    const key = `${style} ${width} ${text}`;
    const known = brokenTexts.get(key);
    if (known) return known;
    applyStyle(style);
    const shown = style === 'term' ? text.toUpperCase() : text;
    const measureWidth = (part: string) => context.measureText(part).width;
    const words = shown.split(/\s+/).flatMap(word => cutWord(word, width, measureWidth));
    const lines = breakLines(words, width, measureWidth);
    brokenTexts.set(key, lines);
    return lines;
  }

  const writer = {
    y: 0,
    get pageNumber() {
      return pageNumber;
    },
    startPage(): void {
      if (pageNumber > 0) document.endPage();
      pageNumber += 1;
      context = document.beginPage(pageSize.width, pageSize.height) as unknown as SKRSContext2D;
      // Ligatures are glyphs without a character: text with them could not be searched or read aloud.
      context.textRendering = 'optimizeSpeed';
      writer.withTheme('paper', () => {
        writer.drawShape(`M0 0H${pageSize.width}V${pageSize.height}H0z`, { fill: 'high' });
        drawFrame(pageNumber);
      });
      writer.y = 110;
    },
    withTheme(name: ThemeName, draw: () => void): void {
      const outer = theme;
      theme = name;
      draw();
      theme = outer;
    },
    keepRoom(height: number): void {
      if (writer.y + height > bottom) writer.startPage();
    },
    measureText(text: string, style: StyleName, column = fullWidth): number {
      return breakText(text, style, column).length * styles[style].lineHeight;
    },
    write(text: string, style: StyleName, options: TextOptions = {}): void {
      const column = options.column ?? fullWidth;
      const lines = breakText(text, style, column);
      const { size, lineHeight } = styles[style];
      for (const line of lines) {
        writer.keepRoom(lineHeight);
        writer.writeAt(line, style, { ...options, column, y: writer.y + (lineHeight + size * 0.7) / 2 });
        writer.y += lineHeight;
      }
    },
    /** One line, at its baseline. */
    writeAt(
      text: string,
      style: StyleName,
      { column = fullWidth, colour, align = 'left', y }: LineOptions,
    ): void {
      context.fillStyle = colourOf(colour ?? applyStyle(style).colour);
      applyStyle(style);
      context.textAlign = align;
      context.fillText(text, column.x + { left: 0, center: column.width / 2, right: column.width }[align], y);
    },
    /** Cells side by side, each with its own lines, on one page. */
    writeRow(cells: Cell[], gap = 0): void {
      const heights = cells.map(({ text, style, column }) => writer.measureText(text, style, column));
      const height = Math.max(...heights);
      writer.keepRoom(height);
      const top = writer.y;
      for (const { text, style, ...options } of cells) {
        writer.y = top;
        writer.write(text, style, options);
      }
      writer.y = top + height + gap;
    },
    drawRule(): void {
      writer.drawShape(`M${fullWidth.x} ${writer.y}h${fullWidth.width}`, { stroke: 'hairline' });
    },
    drawShape(
      path: string,
      { fill, stroke, lineWidth = 1, dash = [], opacity = 1 }: Paint,
      x = 0,
      y = 0,
    ): void {
      context.save();
      context.translate(x, y);
      context.globalAlpha = opacity;
      context.lineWidth = lineWidth;
      context.setLineDash(dash);
      context.fillStyle = fill ? colourOf(fill) : '';
      context.strokeStyle = stroke ? colourOf(stroke) : '';
      if (fill) context.fill(new Path2D(path));
      if (stroke) context.stroke(new Path2D(path));
      context.restore();
    },
    drawImage(image: Parameters<SKRSContext2D['drawImage']>[0], x: number, y: number, size: number): void {
      context.drawImage(image, x, y, size, size);
    },
    markDestination(name: string): void {
      context.annotateNamedDestination(0, 0, name);
    },
    link({ x, width }: Column, top: number, target: { url: string } | { destination: string }): void {
      const box = [x, top, x + width, writer.y] as const;
      if ('url' in target) context.annotateLinkUrl(...box, target.url);
      else context.annotateLinkToDestination(...box, target.destination);
    },
    close(): Buffer {
      document.endPage();
      return document.close();
    },
  };
  return writer;
}

type LineOptions = TextOptions & { y: number };

/** A name without spaces may be wider than its column. */
function cutWord(word: string, width: number, measureWidth: (text: string) => number): string[] {
  if (measureWidth(word) <= width) return [word];
  const parts = [''];
  for (const character of word) {
    const longer = `${parts.at(-1)}${character}`;
    if (longer === character || measureWidth(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}
