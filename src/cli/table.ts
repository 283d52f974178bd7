import { type InspectColor, styleText } from 'node:util';
import { clip, textWidth, visible } from './text.ts';

export { visible } from './text.ts';

/** Aligned columns that fit the terminal; tab-separated for a program. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  if (process.stdout.isTTY) {
    process.stdout.write(drawTable(head, rows, process.stdout.columns || 80, styled));
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
): string {
  // A column in which nothing stands takes no room.
  const columns = head.flatMap((name, index) => (rows.some(row => row[index]) ? [{ name, index }] : []));
  const cells = rows.map(row => columns.map(({ index }) => shorten(row[index] ?? '')));
  const natural = columns.map(({ name }, column) =>
    Math.max(textWidth(name), ...cells.map(line => textWidth(line[column] ?? '', width))),
  );
  const isTime = columns.map((_, column) => cells.every(line => !line[column] || time.test(line[column])));
  const isKey = columns.map(({ name }) => name === 'reference');
  const widths = fitWidths(natural, width - gap.length * (columns.length - 1), isKey, isTime);

  const draw = (line: readonly string[], paint: (column: number, cell: string) => string) => {
    const drawn = line.map((cell, column) => {
      const room = widths[column] ?? 0;
      const cut = clip(cell, room);
      const isLast = column === line.length - 1;
      return paint(column, cut) + (isLast ? '' : ' '.repeat(Math.max(0, room - textWidth(cut))));
    });
    return `${drawn.join(gap).trimEnd()}\n`;
  };
  const first = draw(
    columns.map(({ name }) => name),
    (_, name) => style(['bold', 'dim'], name),
  );
  const rest = cells.map(line =>
    draw(line, (column, cell) =>
      columns[column]?.name === 'state' ? style(colourOf(line[column] ?? ''), cell) : cell,
    ),
  );
  return first + rest.join('');
}

const gap = '  ';
const narrowest = 6;

/** The widest give way first; times only when that is not enough, and a reference never: it is what is typed again. */
export function fitWidths(
  natural: readonly number[],
  room: number,
  isKey: readonly boolean[],
  isTime: readonly boolean[],
): number[] {
  const kept = cap(natural, room, column => isKey[column] || isTime[column] === true);
  return sum(kept) <= room ? kept : cap(natural, room, column => isKey[column] === true);
}

/** The largest width that no other column may exceed, so that all of them fit; a few letters are left to each. */
function cap(natural: readonly number[], room: number, isFixed: (column: number) => boolean): number[] {
  const limited = (most: number) =>
    natural.map((width, column) => (isFixed(column) ? width : Math.min(width, most)));
  let most = Math.max(narrowest, ...natural);
  while (most > narrowest && sum(limited(most)) > room) most--;
  const widths = limited(most);
  // What is left over by whole letters goes to the first that can use it.
  for (const [column, width] of natural.entries()) {
    if (sum(widths) < room && (widths[column] ?? 0) < width) widths[column] = (widths[column] ?? 0) + 1;
  }
  return widths;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

const exactTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}\.\d{3}Z$/;
const time = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/;

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
