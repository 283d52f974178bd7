import { type Flags, throwUsageError } from './command.ts';
import { FileWriteError, type ServiceOverrides, writeNewFile } from './new-file.ts';
import { errorMessage } from './print-error.ts';
import { outputWidth, writeData } from './terminal.ts';

export function isStandardOutput(path: string): boolean {
  if (path === '-' && outputWidth() !== undefined) {
    throwUsageError('Standard output is a terminal here: write into a file, or pass it on to a program.');
  }
  return path === '-';
}

export async function writeOutput(
  path: string,
  parts: ServiceOverrides,
  { force: isForced = false }: Flags<'force'>,
): Promise<void> {
  if (isStandardOutput(path)) await writeStandardOutput(parts);
  else await writeNewFile(path, parts, { isForced });
}

/** With back-pressure. A reader that ends early, such as `head`, is no error. */
async function writeStandardOutput(parts: ServiceOverrides): Promise<void> {
  for await (const part of parts) {
    const error = await writeData(part);
    if (error?.code === 'EPIPE' || error?.code === 'ERR_STREAM_DESTROYED') return;
    if (error) throw new FileWriteError(`Standard output cannot be written: ${errorMessage(error)}.`);
  }
}
