import type { Clock } from './clock.ts';
import { escapeControls } from './controls.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogFields = Record<string, string | number | boolean | undefined>;
export type Log = Record<LogLevel, (event: string, fields?: LogFields) => void> & {
  /** Lets a caller skip making fields for a line nobody will see. */
  shows(level: LogLevel): boolean;
};

type LogOptions = {
  clock: Clock;
  level: LogLevel;
  style: 'json' | 'readable';
  write(line: string): void;
};

export function createLog({ clock, level, style, write }: LogOptions): Log {
  const lowest = logLevels.indexOf(level);
  const shows = (wanted: LogLevel) => logLevels.indexOf(wanted) >= lowest;
  const line = style === 'json' ? jsonLine : readableLine;
  const at =
    (wanted: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (shows(wanted)) write(line(clock.now(), wanted, event, fields));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), shows };
}

/** An error as log fields. Only the operator reads the log, so the stack belongs here and nowhere else. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.message, stack: error.stack };
}

/**
 * A URL as a log field: without its query, and only where it has no other characters than the URLs of a site have. What
 * is encoded, however often, could be an e-mail address.
 */
export function loggedPath(url: string): string {
  const path = url.split('?')[0] ?? '';
  return /^[\w./:[\]~-]*$/.test(path) ? path.slice(0, 200) : '(hidden)';
}

function jsonLine(time: Date, level: LogLevel, event: string, fields: LogFields): string {
  return `${escapeControls(JSON.stringify({ time: time.toISOString(), level, event, ...fields }))}\n`;
}

function readableLine(time: Date, level: LogLevel, event: string, fields: LogFields): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (name === 'stack' ? indented(String(value)) : ` ${name}=${quoted(value)}`));
  return `${time.toISOString().slice(11, 19)} ${level.padEnd(5)} ${event}${pairs.join('')}\n`;
}

/** A value cannot pretend to be a line of its own. */
function quoted(value: string | number | boolean | undefined): string {
  return typeof value === 'string' && !/^[\w./:@+-]+$/.test(value)
    ? escapeControls(JSON.stringify(value))
    : String(value);
}

/** A stack holds the error's own words: set in from the margin, none of them reads as a line of the log. */
function indented(stack: string): string {
  return stack
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(line => `\n    ${escapeControls(line.trimStart())}`)
    .join('');
}
