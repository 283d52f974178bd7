import { refuse } from './command.ts';
import { reason } from './complain.ts';
import { UnwrittenFile, writeNewFile } from './new-file.ts';
import { outputWidth, writeData } from './terminal.ts';

type Parts = string | AsyncIterable<string | Uint8Array>;

/** '-' is for a program to read: what visitors wrote could tell a terminal what to do. */
export function isStandardOutput(path: string): boolean {
  if (path === '-' && outputWidth() !== undefined) {
    refuse('Standard output is a terminal here: write into a file, or pass it on to a program.');
  }
  return path === '-';
}

/** Into a new file, or to standard output where it is called '-'. What kept it from being written, in words for its owner. */
export async function writeOutput(
  path: string,
  parts: Parts,
  { force: isForced }: { force: boolean },
): Promise<string | undefined> {
  const all = typeof parts === 'string' ? [parts] : parts;
  try {
    if (isStandardOutput(path)) await writeStandardOutput(all);
    else await writeNewFile(path, all, { isForced });
    return undefined;
  } catch (error) {
    if (error instanceof UnwrittenFile) return error.message;
    throw error;
  }
}

/** As fast as it is read, so that nothing piles up here. Whoever stops reading, such as `head`, has had enough. */
async function writeStandardOutput(
  parts: Iterable<string> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  for await (const part of parts) {
    const error = await writeData(part);
    if (error?.code === 'EPIPE' || error?.code === 'ERR_STREAM_DESTROYED') return;
    if (error) throw new UnwrittenFile(`Standard output cannot be written: ${reason(error)}.`);
  }
}
