import { escapeControls } from '../lib/control-characters.ts';
import type { Clock } from './clock.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogFields = Record<string, string | number | boolean | undefined>;
export type Log = Record<LogLevel, (event: string, fields?: LogFields) => void> & {
  isEnabled(level: LogLevel): boolean;
};

type LogOptions = {
  clock: Clock;
  level: LogLevel;
  style: 'json' | 'readable';
  write(line: string): void;
};

export function createLog({ clock, level, style, write }: LogOptions): Log {
  const minIndex = logLevels.indexOf(level);
  const shows = (wanted: LogLevel) => logLevels.indexOf(wanted) >= minIndex;
  const formatLine = style === 'json' ? jsonLine : readableLine;
  const at =
    (wanted: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (shows(wanted)) write(formatLine(clock.now(), wanted, event, fields));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), isEnabled: shows };
}

export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.message, stack: error.stack };
}

/** A token in a path, which is all that its page asks for; also beside a full stop that was copied with the link. */
const token = /[0-9a-f]{32}/gi;

/** Without its query and tokens, and hidden if it has unusual characters: encoded text could be an email address. */
export function redactPath(url: string): string {
  const path = url.split('?')[0] ?? '';
  if (!/^[\w./:[\]~-]*$/.test(path)) return '(hidden)';
  return path.replaceAll(token, '(hidden)').slice(0, 200);
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

function quoted(value: string | number | boolean | undefined): string {
  return typeof value === 'string' && !/^[\w./:@+-]+$/.test(value)
    ? escapeControls(JSON.stringify(value))
    : String(value);
}

/** Indented, because the stack contains the error's message, which could imitate a log line. */
function indented(stack: string): string {
  return stack
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(line => `\n    ${escapeControls(line.trimStart())}`)
    .join('');
}
