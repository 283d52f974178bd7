import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { expect } from 'vitest';

export type Terminal = AsyncDisposable & {
  /** What a person reads: without colours and other escape sequences. */
  screen(): string;
  /** Everything that was printed, as the terminal got it. */
  output(): string;
  type(text: string): void;
  /** Waits for this text after what was waited for before, and returns what it matches. */
  waitFor(text: RegExp, timeout?: number): Promise<string>;
  /** Resolves with the exit code, or the number of the signal plus 128, as a shell says it. */
  ended: Promise<number>;
};

type TerminalOptions = { cwd: string; env?: Record<string, string>; columns?: number };

export const keys = { enter: '\r', ctrlC: '\x03', ctrlD: '\x04', escape: '\x1b', down: '\x1b[B' };

/** A program in a pseudo-terminal, as a person starts it. */
export function startInTerminal(
  [program = '', ...args]: readonly string[],
  { cwd, env = {}, columns = 100 }: TerminalOptions,
): Terminal {
  const child = spawn(program, args, {
    ...{ cwd, cols: columns, rows: 40, name: 'xterm-256color' },
    env: { PATH: process.env.PATH ?? '', MIN_FREE_DISK_MB: '0', ...env },
  });
  let [printed, position] = ['', 0];
  child.onData(chunk => {
    printed += chunk;
  });
  let isOver = false;
  const ended = new Promise<number>(resolve =>
    child.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve(signal ? 128 + signal : exitCode);
    }),
  );
  const screen = () => stripVTControlCharacters(printed).replaceAll('\r', '');
  return {
    ...{ screen, ended },
    output: () => printed,
    type: text => child.write(text),
    async waitFor(text, timeout = 30_000) {
      const find = () => text.exec(screen().slice(position));
      await expect.poll(() => find() !== null || isOver, { timeout, message: String(text) }).toBe(true);
      const match = find();
      if (!match) throw new Error(`ended without ${text}: ${screen()}`);
      position += match.index + match[0].length;
      return match[0];
    },
    async [Symbol.asyncDispose]() {
      if (!isOver) killGroup(child);
      await ended;
    },
  };
}

/** The terminal's child leads a session: npm has a shell and a program below it. */
function killGroup({ pid }: IPty): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
