import { escapeControls } from '../lib/control-characters.ts';
import { printErrorLines, printLines } from './terminal.ts';

export { describeCounts } from '../domain/privacy/describe-counts.ts';
export { formatCount, joinWithAnd } from '../lib/format-count.ts';

export function printJson(value: unknown): void {
  printLines(JSON.stringify(value, null, 2).split('\n').map(escapeControls));
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

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message =
    error instanceof AggregateError ? error.errors.map(one => one.message).join('; ') : error.message;
  return message.split('\n')[0] ?? '';
}

export function explainFileError(error: unknown): string {
  return fileReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? errorMessage(error);
}

const fileReasons = new Map([
  ['ENOENT', 'no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
]);

export function describeShown(shown: number, total: number | null, isExact = true): string {
  const format = (number: number) => number.toLocaleString('en-GB');
  if (total === null) return `Showing ${format(shown)}; there are more.`;
  return `Showing ${format(shown)} of ${isExact ? '' : 'more than '}${format(total)}.`;
}
