import { escapeControls } from '../lib/controls.ts';
import { printErrorLines, printLines } from './terminal.ts';

/** As JSON, which holds every value whole: what a terminal would obey is written as its number. */
export function print(value: unknown): void {
  printLines(JSON.stringify(value, null, 2).split('\n').map(escapeControls));
}

/** Said beside the answer, so that a program reading the answer does not stumble over it. */
export function note(line: string): void {
  printErrorLines([line]);
}

export function fail(line: string): void {
  note(line);
  process.exitCode = 1;
}

/** '1 letter', '1,200 letters' */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}
