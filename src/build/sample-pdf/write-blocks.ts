import { type Cell, type Column, fullWidth, type PdfWriter } from './pdf-writer.ts';

const { x, width } = fullWidth;

export function writeHeading(pdf: PdfWriter, text: string): void {
  pdf.write(text, 'heading');
  pdf.y += 12;
}

export function writeEntry(
  pdf: PdfWriter,
  term: string,
  paragraphs: string[],
  style: 'body' | 'code' = 'body',
): void {
  pdf.keepRoom(45);
  pdf.write(term, 'term');
  for (const paragraph of paragraphs) pdf.write(paragraph, style);
  pdf.y += 12;
}

export function writeExchange(pdf: PdfWriter, lines: string[]): void {
  const height = lines.length * 13 + 16;
  pdf.keepRoom(height);
  pdf.y -= 4;
  pdf.drawShape(`M0 0h${width}v${height}h-${width}z`, { fill: 'raised' }, x, pdf.y);
  const top = pdf.y;
  pdf.y += 8;
  for (const line of lines) pdf.write(line, 'code', { column: { x: x + 12, width: width - 24 } });
  pdf.y = top + height + 14;
}

export function writeSteps(pdf: PdfWriter, steps: string[]): void {
  for (const [index, text] of steps.entries()) {
    pdf.writeRow([
      { text: String(index + 1), style: 'code', column: { x, width: 14 }, colour: 'accent' },
      { text, style: 'body', column: { x: x + 18, width: width - 18 } },
    ]);
  }
}

type Row = { cells: string[]; colour?: Cell['colour'] };

/** A row's colour is that of its last cell. */
export function writeTable(pdf: PdfWriter, columns: Column[], head: string[], rows: Row[]): void {
  pdf.writeRow(
    columns.map((column, index) => ({ text: head[index] ?? '', style: 'term', column })),
    4,
  );
  for (const { cells, colour = 'text' } of rows) {
    pdf.drawRule();
    pdf.y += 5;
    pdf.writeRow(
      columns.map((column, index) => ({
        ...{
          text: cells[index] ?? '',
          style: colour !== 'text' && isLast(index) ? 'strong' : 'body',
          column,
        },
        colour: isLast(index) ? colour : 'text',
      })),
      5,
    );
  }
  pdf.drawRule();

  function isLast(index: number): boolean {
    return index === columns.length - 1;
  }
}
