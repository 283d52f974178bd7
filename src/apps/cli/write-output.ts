import { UsageError } from '../../core/action.ts';
import { FileWriteError, type Parts, writeNewFile } from '../../core/new-file.ts';
import { errorMessage } from '../../lib/error-message.ts';
import type { Flags } from './command.ts';
import { outputWidth, writeData } from './terminal.ts';

export function isStandardOutput(path: string): boolean {
  if (path === '-' && outputWidth() !== undefined) {
    throw new UsageError('standard output is a terminal; write to a file or a pipe');
  }
  return path === '-';
}

export async function writeOutput(
  path: string,
  parts: Parts,
  { force: isForced = false }: Flags<'force'>,
): Promise<void> {
  if (isStandardOutput(path)) await writeStandardOutput(parts);
  else await writeNewFile(path, parts, { isForced });
}

async function writeStandardOutput(parts: Parts): Promise<void> {
  for await (const part of parts) {
    const error = await writeData(part);
    if (error?.code === 'EPIPE' || error?.code === 'ERR_STREAM_DESTROYED') return;
    if (error) throw new FileWriteError(`cannot write to standard output: ${errorMessage(error)}`);
  }
}
