import { escapeControls } from '../lib/control-characters.ts';
import { printErrorLines, printLines } from './terminal.ts';

export function printJson(value: unknown): void {
  printLines(JSON.stringify(value, null, 2).split('\n').map(escapeControls));
}

/** On standard error, so that standard output holds only data. */
export function printNote(line: string): void {
  printErrorLines([line]);
}

export function printError(line: string): void {
  printNote(`Error: ${line}`);
  process.exitCode = 1;
}

export function exitWithError(message: string, ...details: string[]): never {
  printError(message);
  for (const line of details) printNote(line);
  process.exit(1);
}

export function orExit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return exitWithError(...splitMessage(error));
  }
}

export function splitMessage(error: unknown): [string, ...string[]] {
  return (error instanceof Error ? error.message : String(error)).split('\n') as [string, ...string[]];
}

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message =
    error instanceof AggregateError ? error.errors.map(one => one.message).join('; ') : error.message;
  return message.split('\n')[0] ?? '';
}

export function explainFileError(error: unknown): string {
  return fileReasons.get((error as NodeJS.ErrnoException).code ?? '') ?? errorMessage(error);
}

const fileReasons = new Map([
  ['ENOENT', 'no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
]);

export function formatCount(number: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number.toLocaleString('en-GB')} ${number === 1 ? noun : plural}`;
}

const nouns: Record<string, string> = {
  messages: 'message',
  notes: 'note',
  mentions: 'mention',
  deliveries: 'delivery',
  subscribers: 'subscriber',
  sign_ups: 'sign-up',
  newsletter_issues: 'newsletter issue',
  newsletter: 'newsletter subscription',
  rows: 'row',
  redacted: 'redacted row',
  mails: 'mail',
  temporaryFiles: 'temporary file',
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

export function describeShown(shown: number, total: number | null, isExact = true): string {
  const format = (number: number) => number.toLocaleString('en-GB');
  if (total === null) return `Showing ${format(shown)}; there are more.`;
  return `Showing ${format(shown)} of ${isExact ? '' : 'more than '}${format(total)}.`;
}
