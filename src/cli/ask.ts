import { createInterface } from 'node:readline/promises';
import { note } from './say.ts';

/** Whether somebody is at the terminal to be asked. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY);
}

/** Anything but a yes is a no, the end of the input too. */
export async function askYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `).catch(() => {
    note('');
    return '';
  });
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
