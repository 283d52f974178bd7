import { escapeControls } from '../lib/control-characters.ts';
import { printErrorLines, printLines } from './terminal.ts';

/** As JSON; control characters are written as \u escapes. */
export function printJson(value: unknown): void {
  printLines(JSON.stringify(value, null, 2).split('\n').map(escapeControls));
}

export function printNote(line: string): void {
  printErrorLines([line]);
}

export function printError(line: string): void {
  printNote(line);
  process.exitCode = 1;
}

export function formatCount(number: number, noun: string): string {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}

const nouns: Record<string, string> = {
  messages: 'message',
  deliveries: 'delivery',
  subscribers: 'subscriber',
  sign_ups: 'sign-up',
  issues: 'newsletter',
};

/** '1,204 messages, 2,408 deliveries and 3 subscribers'; '' for nothing. */
export function describeCounts(counts: Record<string, number>): string {
  const there = Object.entries(nouns).filter(([table]) => (counts[table] ?? 0) > 0);
  return joinWithAnd(
    there.map(([table, noun]) => formatCount(counts[table] ?? 0, noun).replace(/ys$/, 'ies')),
  );
}

export function joinWithAnd(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}
