import { reason } from './complain.ts';
import { UnwrittenFile } from './new-file.ts';

/** As fast as it is read, so that nothing piles up here. Whoever stops reading, such as `head`, has had enough. */
export async function writeStandardOutput(parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const part of parts) {
    const error = await write(part);
    if (error?.code === 'EPIPE' || error?.code === 'ERR_STREAM_DESTROYED') return;
    if (error) throw new UnwrittenFile(`Standard output cannot be written: ${reason(error)}.`);
  }
}

function write(part: string | Uint8Array): Promise<NodeJS.ErrnoException | null | undefined> {
  return new Promise(resolve => void process.stdout.write(part, resolve));
}
