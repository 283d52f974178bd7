import Table from 'cli-table3';
import { replaceControls } from '../lib/control-characters.ts';
import { outputWidth, printLines } from './terminal.ts';

const gap = '  ';
const shortColumnWidth = 20;
const minColumnWidth = 10;

export function printTable(table: readonly Record<string, string | number | null>[]): void {
  const head = Object.keys(table[0] ?? {});
  const rows = table.map(row => Object.values(row).map(value => String(value ?? '')));
  if (rows.length === 0) return;
  const width = outputWidth();
  if (width === undefined) printLines([head, ...rows].map(row => row.map(replaceControls).join('\t')));
  else printLines(drawTable(head, rows, width));
}

export function drawTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const shown = [...head.keys()].filter(column => rows.some(row => row[column]));
  const lines = [head, ...rows].map(row => shown.map(column => formatCell(row[column] ?? '')));
  const colWidths = shareWidth(
    shown.map((_, column) => Math.max(...lines.map(line => displayWidth(line[column] ?? '')))),
    width - gap.length * (shown.length - 1),
  );
  // cli-table3 takes quadratic time in rows and cell length, so each line is its own table of truncated cells.
  return lines.map(line => {
    const table = new Table({ chars, style, colWidths });
    table.push(line.map((cell, column) => [...cell].slice(0, (colWidths[column] ?? 0) + 1).join('')));
    return table.toString().trimEnd();
  });
}

const chars = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: gap },
};
const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };

function shareWidth(widths: readonly number[], available: number): number[] {
  const isLong = (width: number) => width > shortColumnWidth;
  const sum = (some: readonly number[]) => some.reduce((total, width) => total + width, 0);
  const left = available - sum(widths.filter(width => !isLong(width)));
  const share = Math.max(minColumnWidth, Math.floor(left / widths.filter(isLong).length));
  const shared = widths.map(width => (isLong(width) ? Math.min(width, share) : width));
  const [last = 0] = shared.slice(-1);
  return shared.with(-1, Math.min(widths.at(-1) ?? 0, last + Math.max(0, available - sum(shared))));
}

const exactTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}\.\d{3}Z$/;

export function formatCell(text: string): string {
  return replaceControls(text)
    .replace(exactTime, '$1 $2')
    .replaceAll(/(\p{M}{4})\p{M}+/gu, '$1');
}

const wideCharacters = /[\u1100-\u115f\u2e80-\u{10ffff}]|\p{Emoji_Presentation}/gu;

function displayWidth(text: string): number {
  return [...text].length + (text.match(wideCharacters)?.length ?? 0);
}

export function wrapText(text: string, width: number): string[] {
  const line = formatCell(text);
  const maxLength = line.match(wideCharacters) ? Math.floor(width / 2) : width;
  const lines = line.match(new RegExp(`.{1,${maxLength}}(?=\\s|$)|.{1,${maxLength}}`, 'gu')) ?? [''];
  return lines.map((one, index) => (index === 0 ? one.trimEnd() : one.trim()));
}
