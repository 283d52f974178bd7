import { type Clock, systemClock } from './clock.ts';
import { createLog, type Log, type LogLevel } from './log.ts';

export function createProcessLog({ logLevel }: { logLevel: LogLevel }, clock: Clock = systemClock): Log {
  const style = process.stdout.isTTY ? 'readable' : 'json';
  return createLog({ clock, level: logLevel, style, write: writeBatched });
}

let unwritten = '';

function writeBatched(line: string): void {
  if (!unwritten) setImmediate(flush);
  unwritten += line;
}

function flush(): void {
  const lines = unwritten;
  unwritten = '';
  if (lines) process.stdout.write(lines);
}

process.once('exit', flush);
// The server goes on when its log cannot be written.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
