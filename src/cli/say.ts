import { visible } from './text.ts';

export function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2).replaceAll(obeyed, asEscape)}\n`);
}

/** What JSON may hold as it is, and a terminal may obey. */
const obeyed = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Said beside the answer, so that a program reading the answer does not stumble over it. */
export function note(line: string): void {
  process.stderr.write(`${visible(line)}\n`);
}

export function fail(line: string): void {
  note(line);
  process.exitCode = 1;
}

/** '1 letter', '1,200 letters' */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}
