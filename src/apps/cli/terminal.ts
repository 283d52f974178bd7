import { createInterface } from 'node:readline/promises';
import { inspect } from 'node:util';
import { replaceControls } from '../../lib/control-characters.ts';

// The only file that writes to standard output and standard error: it replaces control characters in every value.

export function outputWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
}

/** Line ends within a line are replaced, too, so that no value can imitate another line. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(escapeLines(lines));
}

export function printErrorLines(lines: readonly string[]): void {
  process.stderr.write(escapeLines(lines));
}

function escapeLines(lines: readonly string[]): string {
  return lines.map(line => `${line.replaceAll(/[^\t]+/g, replaceControls)}\n`).join('');
}

/** Unescaped, so not to a terminal, which would interpret escape sequences in messages. */
export function writeData(part: string | Uint8Array): Promise<NodeJS.ErrnoException | null | undefined> {
  if (process.stdout.isTTY) throw new Error('data is not written to a terminal');
  return new Promise(resolve => void process.stdout.write(part, resolve));
}

export function isInteractive(): boolean {
  return Boolean(process.stdin.isTTY);
}

/** For the prompt library, whose texts setup/prompts.ts escapes. */
export const promptStreams = { input: process.stdin, output: process.stdout };

export async function askYesNo(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl+C and Ctrl+D are a no.
  const ask = (text: string) =>
    terminal.question(`${replaceControls(text)} [y/N] `).catch(() => {
      printErrorLines(['']);
      return '';
    });
  let answer = await ask(question);
  while (!/^(y|yes|n|no|)$/i.test(answer.trim())) answer = await ask('Please answer y or n.');
  terminal.close();
  return /^y/i.test(answer.trim());
}

/** Until it is disposed of: a terminal that is read keeps the process alive. `ended`: after Ctrl+D nothing can be read. */
export function onEnter(act: () => void): Disposable & { ended: Promise<void> } {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const terminal = isInteractive()
    ? createInterface({ input: process.stdin }).on('line', act).on('close', resolve)
    : undefined;
  return { ended, [Symbol.dispose]: () => terminal?.close() };
}

let isInstalled = false;

/** Node would print the message unescaped. Lines after the first are indented, so that they cannot imitate output. */
export function printUncaughtErrors(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.on('uncaughtException', error => {
    const [first = '', ...rest] = inspect(error).split('\n');
    printErrorLines([first, ...rest.map(line => `    ${line}`)]);
    process.exit(1);
  });
}
