import { type InspectColor, styleText } from 'node:util';
import { gap, isState, layOut, type Weight } from './columns.ts';
import { clip, textWidth, visible } from './text.ts';

/** Aligned columns that fit the terminal; tab-separated, and all of them, for a program. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  weight?: Weight,
): void {
  if (rows.length === 0) return;
  if (process.stdout.isTTY) {
    process.stdout.write(drawTable(head, rows, process.stdout.columns || 80, styled, weight));
    return;
  }
  const lines = [head, ...rows].map(row => `${row.map(visible).join('\t')}\n`);
  process.stdout.write(lines.join(''));
}

type Style = (format: InspectColor | readonly InspectColor[], text: string) => string;

/** Asks the terminal, which says no where NO_COLOR is set or TERM is dumb. */
export const styled: Style = (format, text) =>
  styleText(format as InspectColor[], text, { stream: process.stdout });

/** Lines no wider than the terminal, as long as it has room for the references and a few letters of each column. */
export function drawTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  style: Style = (_, text) => text,
  weight?: Weight,
): string {
  // A column in which nothing stands takes no room.
  const filled = [...head.keys()].filter(column => rows.some(row => row[column]));
  const whole = {
    names: filled.map(column => head[column] ?? ''),
    cells: rows.map(row => filled.map(column => shorten(row[column] ?? ''))),
  };
  const { sheet, widths } = layOut(whole, width, weight);

  const draw = (line: readonly string[], paint: (column: number, cell: string) => string) => {
    const drawn = line.map((cell, column) => {
      const room = widths[column] ?? 0;
      const cut = clip(cell, room);
      const isLast = column === line.length - 1;
      return paint(column, cut) + (isLast ? '' : ' '.repeat(Math.max(0, room - textWidth(cut))));
    });
    return `${drawn.join(gap).trimEnd()}\n`;
  };
  const first = draw(sheet.names, (_, name) => style(['bold', 'dim'], name));
  const rest = sheet.cells.map(line =>
    draw(line, (column, cell) =>
      isState(sheet.names[column] ?? '') ? style(colourOf(line[column] ?? ''), cell) : cell,
    ),
  );
  return first + rest.join('');
}

const exactTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}\.\d{3}Z$/;

/** A person needs no milliseconds. */
export function shorten(cell: string): string {
  return exactTime.test(cell) ? cell.replace(exactTime, '$1 $2') : visible(cell);
}

/** By its first word: 'quarantined (flood)' is quarantined. */
export function colourOf(state: string): InspectColor {
  return colours.get(state.split(' ')[0] ?? '') ?? 'reset';
}

const colours = new Map<string, InspectColor>([
  ...['new', 'delivered', 'confirmed', 'sent'].map(name => [name, 'green'] as const),
  ...['waiting', 'sending', 'pending', 'held', 'unsure', 'quarantined'].map(
    name => [name, 'yellow'] as const,
  ),
  ...['dead', 'failed'].map(name => [name, 'red'] as const),
  ...['spam', 'empty', 'dropped', 'unsubscribed', 'suppressed'].map(name => [name, 'gray'] as const),
]);
