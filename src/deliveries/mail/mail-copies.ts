import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { orMissing, syncFolder } from '../../lib/files.ts';
import {
  type Copy,
  type CopyErasure,
  type CopyExpiry,
  type CopySearch,
  holdsReference,
  isAfter,
  isBefore,
} from '../copies.ts';
import { decodeBase64, decodeQuoted } from './decode.ts';

/** Copies as mails in the data folder, which may be there from before a mail server took its place. */
export function createMailCopies(dataDir: string) {
  const folder = join(dataDir, 'mail');

  async function list(): Promise<Named[]> {
    const names = (await readdir(folder).catch(orMissing)) ?? [];
    return names.flatMap(name => readName(name) ?? []);
  }

  async function* search(wanted: CopySearch): AsyncGenerator<Named & { isTheirs: boolean }> {
    for (const named of await list()) {
      // Whoever owns the folder may remove files at any time.
      const bytes = await readFile(join(folder, named.name)).catch(orMissing);
      if (!bytes) continue;
      const mail = readMail(bytes);
      const isTheirs = wanted.references.has(named.reference) || wanted.isTheirs(mail.to);
      const isFound = isTheirs || wanted.mentions(mail.text) || holdsReference(mail.text, wanted.references);
      if (isFound) yield { ...named, isTheirs: isTheirs || wanted.mentions(mail.replyTo) };
    }
  }

  async function remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(folder, name), { force: true });
    if (names.length > 0) await syncFolder(folder);
  }

  return {
    /** Those that are looked through here: what the owner renamed or moved is another file of theirs. */
    isOurs: (path: string) => dirname(path) === folder && readName(basename(path)) !== undefined,
    async find(wanted: CopySearch): Promise<Copy[]> {
      const copies: Copy[] = [];
      for await (const { name, reference, at, isPart, isTheirs } of search(wanted)) {
        copies.push({
          kind: isPart ? 'remains' : 'mail',
          place: join(folder, name),
          reference,
          at,
          isTheirs,
        });
      }
      return copies;
    },

    /** A mail is gone as a whole, whoever else stands in it: the messages themselves are kept elsewhere. */
    async erase(erasure: CopyErasure): Promise<{ mails: number; remains: number }> {
      const found: Named[] = [];
      for await (const mail of search(erasure)) {
        if (erasure.references.has(mail.reference) || !isAfter(mail.at, erasure.upTo)) found.push(mail);
      }
      await remove(found.map(({ name }) => name));
      const remains = found.filter(({ isPart }) => isPart).length;
      return { mails: found.length - remains, remains };
    },

    async expire({ references, before }: CopyExpiry): Promise<number> {
      const old = (await list()).filter(
        ({ reference, at }) => references.has(reference) || isBefore(at, before),
      );
      await remove(old.map(({ name }) => name));
      return old.length;
    },
  };
}

type Named = { name: string; reference: string; at: string; isPart: boolean };

/** Time and reference stand in the name. */
function readName(name: string): Named | undefined {
  const [, day, hours, minutes, seconds, reference, part] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)-(.+)\.eml(\.part)?$/.exec(name) ?? [];
  if (!day || !reference) return undefined;
  const at = `${day}T${hours}:${minutes}:${seconds}.000Z`;
  return { name, at, reference: decodeName(reference), isPart: part !== undefined };
}

function decodeName(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Our own mails, whole or torn: lines are put together again and signs decoded, wherever they stand. */
function readMail(bytes: Buffer): { to: string; replyTo: string; text: string } {
  const raw = bytes.toString('latin1');
  const header = (name: string) =>
    new RegExp(`^${name}:(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(raw.split('\r\n\r\n')[0] ?? '')?.[1] ?? '';
  return {
    to: header('To').trim(),
    replyTo: header('Reply-To'),
    text: `${decodeQuoted(raw)}\n${decodeBase64(raw)}`,
  };
}
