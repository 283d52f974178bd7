import { visible } from './table.ts';

export function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Said beside the answer, so that a program reading the answer does not stumble over it. */
export function note(line: string): void {
  process.stderr.write(`${visible(line)}\n`);
}

export function fail(line: string): void {
  note(line);
  process.exitCode = 1;
}

/** Lines at most, as --limit has it; `refuse` ends the command with the way to say it. */
export function readLimit(limit: string, refuse: (line: string) => never): number {
  if (!/^[1-9]\d{0,5}$/.test(limit)) refuse(`--limit is '${limit}', expected a whole number from 1.`);
  return Number(limit);
}

/** '1 letter', '1,200 letters' */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}
