import { escapeControls } from '../lib/control-characters.ts';
import { printErrorLines, printLines } from './terminal.ts';

/** Control characters are written as \u escapes. */
export function printJson(value: unknown): void {
  printLines(JSON.stringify(value, null, 2).split('\n').map(escapeControls));
}

/** On standard error, so that standard output holds only data. */
export function printNote(line: string): void {
  printErrorLines([line]);
}

/** The command goes on, and ends with exit code 1. */
export function printError(line: string): void {
  printNote(`error: ${line}`);
  process.exitCode = 1;
}

export function formatCount(number: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number.toLocaleString('en-GB')} ${number === 1 ? noun : plural}`;
}

const nouns: Record<string, string> = {
  messages: 'message',
  mentions: 'mention',
  deliveries: 'delivery',
  subscribers: 'subscriber',
  sign_ups: 'sign-up',
  newsletter_issues: 'newsletter issue',
  newsletter: 'newsletter subscription',
  rows: 'row',
  redacted: 'redacted row',
  mails: 'mail',
  remains: 'temporary file',
};

/** '1,204 messages, 2,408 deliveries and 3 subscribers'; '' if every count is 0. Other counts are left out. */
export function describeCounts(counts: Record<string, number>): string {
  return joinWithAnd(
    Object.entries(nouns).flatMap(([name, noun]) => {
      const number = counts[name] ?? 0;
      return number > 0 ? [formatCount(number, noun)] : [];
    }),
  );
}

export function joinWithAnd(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}

/** `total` is null if it is not known. */
export function describeShown(shown: number, total: number | null, isExact = true): string {
  const format = (number: number) => number.toLocaleString('en-GB');
  if (total === null) return `Showing ${format(shown)}; there are more.`;
  return `Showing ${format(shown)} of ${isExact ? '' : 'more than '}${format(total)}.`;
}
