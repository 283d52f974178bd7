import { createInterface } from 'node:readline/promises';
import { inspect } from 'node:util';
import { replaceControls } from '../lib/control-characters.ts';

// The only file that writes to standard output and standard error (tests/import-rules.test.ts): it escapes control
// characters in every value.

export function outputWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
}

/** A line end within a line is escaped, too: no value can pass for another line. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(escapeLines(lines));
}

export function printErrorLines(lines: readonly string[]): void {
  process.stderr.write(escapeLines(lines));
}

/** Tabs stay: they separate columns for programs. */
function escapeLines(lines: readonly string[]): string {
  return lines.map(line => `${line.replaceAll(/[^\t]+/g, replaceControls)}\n`).join('');
}

/** Byte for byte: a terminal would obey escape sequences in visitors' words. */
export function writeData(part: string | Uint8Array): Promise<NodeJS.ErrnoException | null | undefined> {
  if (process.stdout.isTTY) throw new Error('data is not written to a terminal');
  return new Promise(resolve => void process.stdout.write(part, resolve));
}

export function isInteractive(): boolean {
  return Boolean(process.stdin.isTTY);
}

/** The end of the input counts as a no. */
export async function askYesNo(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${replaceControls(question)} [y/N] `).catch(() => {
    printErrorLines(['']);
    return '';
  });
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

let isInstalled = false;

/** Node would print the message of an uncaught error unescaped. Its lines are indented to tell them from ours. */
export function printUncaughtErrors(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.on('uncaughtException', error => {
    const [first = '', ...rest] = inspect(error).split('\n');
    printErrorLines([first, ...rest.map(line => `    ${line}`)]);
    process.exit(1);
  });
}
