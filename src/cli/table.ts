import type { InspectColor } from 'node:util';
import { gap, isState, layOut, type Weight } from './columns.ts';
import { outputWidth, printLines, styled, type Text } from './terminal.ts';
import { clip, textWidth, visible } from './text.ts';

/** Aligned columns that fit the terminal; tab-separated, and all of them, for a program. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  weight?: Weight,
): void {
  if (rows.length === 0) return;
  const width = outputWidth();
  const cells = () => [head, ...rows].map(row => row.map(visible).join('\t'));
  printLines(width === undefined ? cells() : drawTable(head, rows, width, weight));
}

/** Lines no wider than the terminal, as long as it has room for the references and a few letters of each column. */
export function drawTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  weight?: Weight,
): Text[] {
  // A column in which nothing stands takes no room.
  const filled = [...head.keys()].filter(column => rows.some(row => row[column]));
  const whole = {
    names: filled.map(column => head[column] ?? ''),
    cells: rows.map(row => filled.map(column => shorten(row[column] ?? ''))),
  };
  const { sheet, widths } = layOut(whole, width, weight);

  const draw = (line: readonly string[], paint: (column: number, cell: string) => Text): Text => {
    const cut = line.map((cell, column) => clip(cell, widths[column] ?? 0));
    // No space at the end of a line.
    const last = cut.findLastIndex(cell => cell.trim() !== '');
    return cut.slice(0, last + 1).map((cell, column) => {
      if (column === last) return paint(column, cell.trimEnd());
      const room = Math.max(0, (widths[column] ?? 0) - textWidth(cell));
      return [paint(column, cell), ' '.repeat(room), gap];
    });
  };
  const first = draw(sheet.names, (_, name) => styled(['bold', 'dim'], name));
  const rest = sheet.cells.map(line =>
    draw(line, (column, cell) =>
      isState(sheet.names[column] ?? '') ? styled(colourOf(line[column] ?? ''), cell) : cell,
    ),
  );
  return [first, ...rest];
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
