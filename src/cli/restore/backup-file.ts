import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** A compressed file that is cut off or damaged. */
export class DamagedFile extends Error {}

/** The bytes of a backup, compressed or not: the file itself says which. `onRead` is told how many of its bytes are read. */
export async function* readBackupFile(
  path: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  const isCompressed = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  yield* isCompressed ? inflated(raw()) : raw();

  async function* raw(): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (;;) {
      const part = await file.read(Buffer.alloc(partLength), 0, partLength, at);
      if (part.bytesRead === 0) return;
      at += part.bytesRead;
      onRead(at);
      yield part.buffer.subarray(0, part.bytesRead);
    }
  }
}

const partLength = 256 * 1024;

async function* inflated(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const fed = pipeline(parts, gunzip);
  // What fails there fails here as well, where it is waited for.
  fed.catch(() => undefined);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
    await fed;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw code.startsWith('Z_') ? new DamagedFile(message) : error;
  }
}
