import { textWidth } from './text.ts';

export const gap = '  ';
const narrowest = 6;
/** As much as a name or a service needs to be told from another. */
const comfortable = 12;

/** What is drawn: the names of the columns, and the cells below them. */
export type Sheet = { names: readonly string[]; cells: readonly (readonly string[])[] };

/** The column that a table is read for, and those it can do without, the first to go first. */
export type Weight = { main: string; spare: readonly string[] };

type Laid = { sheet: Sheet; widths: number[] };

/** Columns that fit. Where one of them is the main one, the others give way until a third of the width is its own. */
export function layOut(sheet: Sheet, width: number, weight?: Weight): Laid {
  if (!weight) return { sheet, widths: fitSheet(sheet, width) };
  let kept = sheet;
  for (const giveWay of [same, withoutRemarks, ...weight.spare.map(without), withoutHours]) {
    kept = giveWay(kept);
    const widths = share(kept, width, weight.main);
    if (widths) return { sheet: kept, widths };
  }
  return { sheet: kept, widths: fitSheet(kept, width, isState) };
}

function same(sheet: Sheet): Sheet {
  return sheet;
}

/** 'quarantined (flood)' is quarantined. */
function withoutRemarks({ names, cells }: Sheet): Sheet {
  const brief = (cell: string, column: number) =>
    isState(names[column] ?? '') ? cell.replace(/ \(.*$/, '') : cell;
  return { names, cells: cells.map(line => line.map(brief)) };
}

function withoutHours({ names, cells }: Sheet): Sheet {
  return { names, cells: cells.map(line => line.map(cell => (time.test(cell) ? cell.slice(0, 10) : cell))) };
}

function without(name: string): (sheet: Sheet) => Sheet {
  return ({ names, cells }) => {
    const isKept = (_: string, column: number) => names[column] !== name;
    return { names: names.filter(isKept), cells: cells.map(line => line.filter(isKept)) };
  };
}

/** Undefined where the main column would have less than its third, or another too little to be read. */
function share(sheet: Sheet, width: number, main: string): number[] | undefined {
  const { names } = sheet;
  const natural = naturalWidths(sheet, width);
  const room = roomIn(sheet, width);
  const isMain = names.map(name => name === main);
  const isTime = timeColumns(sheet);
  const least = natural.map((one, column) => (isMain[column] ? Math.min(one, Math.floor(width / 3)) : one));
  const isFixed = (column: number) =>
    isKey(names[column] ?? '') || isState(names[column] ?? '') || isMain[column] || isTime[column] === true;
  const widths = cap(least, room, isFixed);
  const isEnough = widths.every((one, column) => one >= Math.min(least[column] ?? 0, comfortable));
  if (!isEnough || sum(widths) > room) return undefined;
  const left = room - sum(widths);
  return widths.map((one, column) => (isMain[column] ? Math.min(natural[column] ?? 0, one + left) : one));
}

function fitSheet(sheet: Sheet, width: number, isSteady = (_: string) => false): number[] {
  const isTime = timeColumns(sheet);
  return fitWidths(
    naturalWidths(sheet, width),
    roomIn(sheet, width),
    sheet.names.map(isKey),
    sheet.names.map((name, column) => isTime[column] === true || isSteady(name)),
  );
}

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

function naturalWidths({ names, cells }: Sheet, width: number): number[] {
  return names.map((name, column) =>
    Math.max(textWidth(name), ...cells.map(line => textWidth(line[column] ?? '', width))),
  );
}

function roomIn({ names }: Sheet, width: number): number {
  return width - gap.length * (names.length - 1);
}

function timeColumns({ names, cells }: Sheet): boolean[] {
  return names.map((_, column) => cells.every(line => !line[column] || time.test(line[column])));
}

const time = /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?$/;

function isKey(name: string): boolean {
  return name === 'reference';
}

export function isState(name: string): boolean {
  return name === 'state';
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
