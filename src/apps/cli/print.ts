import { escapeControls, replaceControls } from '../../lib/control-characters.ts';
import { outputWidth, printErrorLines, printLines } from './terminal.ts';

export function printJson(value: unknown): void {
  printLines(JSON.stringify(value, null, 2).split('\n').map(escapeControls));
}

const maxShown = 60;

/** One line for each row, tab-separated. On a terminal in columns, with long texts cut; `show` and `--json` have them whole. */
export function printTable(table: readonly Record<string, string | number | null>[]): void {
  const head = Object.keys(table[0] ?? {});
  const rows = table.map(row => Object.values(row).map(value => replaceControls(String(value ?? ''))));
  if (rows.length === 0) return;
  const isRead = outputWidth() !== undefined;
  printLines(isRead ? alignColumns([head, ...rows]) : [head, ...rows].map(row => row.join('\t')));
}

function alignColumns(rows: string[][]): string[] {
  const cut = rows.map(row =>
    row.map(text => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)),
  );
  const widths = (cut[0] ?? []).map((_, column) => Math.max(...cut.map(row => row[column]?.length ?? 0)));
  return cut.map(row =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** On standard error, so that standard output holds only data. */
export function printNote(line: string): void {
  printErrorLines([line]);
}

export function printError(line: string): void {
  printNote(`Error: ${line}`);
  process.exitCode = 1;
}

export function exitWithError(message: string, ...details: string[]): never {
  printError(message);
  for (const line of details) printNote(line);
  process.exit(1);
}

export function orExit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return exitWithError(...splitMessage(error));
  }
}

export function splitMessage(error: unknown): [string, ...string[]] {
  return (error instanceof Error ? error.message : String(error)).split('\n') as [string, ...string[]];
}
