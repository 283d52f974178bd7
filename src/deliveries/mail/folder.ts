import { access, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../lib/files.ts';
import type { FilesDeps, Outcome } from '../delivery.ts';
import type { Carrier, Letter } from './carrier.ts';

/** Mails as files that any mail program opens. The name comes from the mail, so a repeat replaces itself. */
export function createFolder({ dataDir, lowSpace }: FilesDeps): Carrier {
  const folder = join(dataDir, 'mail');
  const fileOf = ({ date, reference }: Pick<Letter, 'date' | 'reference'>) =>
    join(
      folder,
      `${date.toISOString().slice(0, 19).replaceAll(':', '')}-${encodeURIComponent(reference)}.eml`,
    );

  let kept: Promise<void> | undefined;

  /** What holds the mails has to be on the disk itself; whether an earlier process saw to that, nobody knows. */
  async function ensureFolder(): Promise<void> {
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
    if (isNew) kept = undefined;
    kept ??= syncFolder(dirname(folder)).catch(error => {
      kept = undefined;
      throw error;
    });
    await kept;
  }

  return {
    place: folder,
    isUpserting: true,
    ...(lowSpace && { lowSpace }),
    async carry(letter): Promise<Outcome> {
      try {
        await ensureFolder();
        await writeWhole(fileOf(letter), letter.bytes);
        await syncFolder(folder);
        return { kind: 'delivered' };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return { kind: 'failed', why: `${folder} cannot be written to (${code})`, isAmbiguous: false };
      }
    },
    async find(letter) {
      try {
        await access(fileOf(letter));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    },
    close: () => undefined,
  };
}

/** Under its own name a file is there whole or not at all, even after a power cut. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.part`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}
