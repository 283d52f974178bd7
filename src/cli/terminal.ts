import { createInterface } from 'node:readline/promises';
import { type InspectColor, inspect, styleText } from 'node:util';
import { visible } from '../lib/controls.ts';

// The only file that writes to standard output and standard error (tests/borders.test.ts). Text is escaped here, so that
// no value steers the terminal; colours and cursor moves of our own are added after that.

type Format = InspectColor | readonly InspectColor[];

class Styled {
  readonly format: Format;
  readonly text: string;
  constructor(format: Format, text: string) {
    this.format = format;
    this.text = text;
  }
}

/** Text in a colour of ours. Parts are listed and not concatenated, so that a value cannot bring colours of its own. */
export type Text = string | Styled | readonly Text[];

export function styled(format: Format, text: string): Text {
  return new Styled(format, text);
}

/** Columns of standard output; undefined where a program reads it. */
export function outputWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
}

/** The same of standard error, where progress is drawn. */
export function errorWidth(): number | undefined {
  return process.stderr.isTTY ? process.stderr.columns || 80 : undefined;
}

/** A line end within a line is escaped, too: no value can pass for a line of ours. */
export function printLines(lines: readonly Text[]): void {
  // styleText asks the terminal, which says no where NO_COLOR is set or TERM is dumb.
  const stream = process.stdout;
  stream.write(join(lines, (format, part) => styleText(format as InspectColor[], part, { stream })));
}

export function printErrorLines(lines: readonly string[]): void {
  process.stderr.write(plainText(lines));
}

/** What is printed where there are no colours. */
export function plainText(lines: readonly Text[]): string {
  return join(lines, (_, part) => part);
}

/** Replaces the last line of standard error. */
export function redraw(line: string): void {
  process.stderr.write(`\r\x1b[2K${visible(line).slice(0, (process.stderr.columns || 80) - 1)}`);
}

/** For a program, byte for byte. A terminal would obey what visitors wrote: callers refuse it before anything is read. */
export function writeData(part: string | Uint8Array): Promise<NodeJS.ErrnoException | null | undefined> {
  if (process.stdout.isTTY) throw new Error('data is not written to a terminal');
  return new Promise(resolve => void process.stdout.write(part, resolve));
}

/** Whether a person is at the terminal to be asked. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY);
}

/** Anything but a yes is a no, the end of the input too. */
export async function askYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${visible(question)} [y/N] `).catch(() => {
    printErrorLines(['']);
    return '';
  });
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

let areFaultsPrinted = false;

/** Node itself would print the message of an uncaught error as it is. Its lines are indented: none passes for ours. */
export function printFaults(): void {
  if (areFaultsPrinted) return;
  areFaultsPrinted = true;
  process.on('uncaughtException', error => {
    const [first = '', ...rest] = inspect(error).split('\n');
    printErrorLines([first, ...rest.map(line => `    ${line}`)]);
    process.exit(1);
  });
}

type Paint = (format: Format, part: string) => string;

function join(lines: readonly Text[], paint: Paint): string {
  return lines.map(line => `${render(line, paint)}\n`).join('');
}

function render(text: Text, paint: Paint): string {
  if (typeof text === 'string') return escapeText(text);
  if (text instanceof Styled) return paint(text.format, escapeText(text.text));
  return text.map(part => render(part, paint)).join('');
}

/** Tabs stay: programs read columns by them. */
function escapeText(text: string): string {
  return text.replaceAll(/[^\t]+/g, visible);
}
