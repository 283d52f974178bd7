import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { decodeUri } from '../../lib/decode-uri.ts';
import { isAfter, isBefore, mentionsReference } from '../../lib/match-copies.ts';
import { syncFolder, undefinedIfMissing } from '../files.ts';
import type { LocalCopy, LocalCopyErasure, LocalCopyExpiry, LocalCopySearch } from '../local-files.ts';
import { describeFailure } from '../outbox/failures.ts';
import type { Mail } from './compose-mail.ts';
import { createMailer } from './mailer.ts';
import { readMail } from './read-mail.ts';

export function createMailCopies(dataDir: string) {
  const folder = join(dataDir, 'mail');

  async function list(): Promise<MailFile[]> {
    const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
    return names.flatMap(name => readName(name) ?? []);
  }

  async function* search(wanted: LocalCopySearch): AsyncGenerator<MailFile & { belongsToPerson: boolean }> {
    for (const named of await list()) {
      const bytes = await readFile(join(folder, named.name)).catch(undefinedIfMissing);
      if (!bytes) continue;
      const mail = await readMail(bytes);
      const belongsToPerson = wanted.references.has(named.reference) || wanted.belongsToPerson(mail.to);
      const isFound =
        belongsToPerson || wanted.mentions(mail.text) || mentionsReference(mail.text, wanted.references);
      if (isFound) yield { ...named, belongsToPerson: belongsToPerson || wanted.mentions(mail.replyTo) };
    }
  }

  async function remove(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(folder, name), { force: true });
    if (names.length > 0) await syncFolder(folder);
  }

  return {
    isManaged: (path: string) => dirname(path) === folder && readName(basename(path)) !== undefined,
    find(wanted: LocalCopySearch): Promise<LocalCopy[]> {
      return Array.fromAsync(search(wanted), ({ name, reference, at, isPart, belongsToPerson }) => {
        const kind = isPart ? 'temporary file' : 'mail';
        return { kind, path: join(folder, name), reference, at, belongsToPerson };
      });
    },

    /** A mail that mentions several people is removed whole: the messages themselves are in the database. */
    async erase(erasure: LocalCopyErasure): Promise<{ mails: number; temporaryFiles: number }> {
      const { references, upTo } = erasure;
      const all = await Array.fromAsync(search(erasure));
      const found = all.filter(({ reference, at }) => references.has(reference) || !isAfter(at, upTo));
      await remove(found.map(({ name }) => name));
      const temporaryFiles = found.filter(({ isPart }) => isPart).length;
      return { mails: found.length - temporaryFiles, temporaryFiles };
    },

    /** Those of them that there is a file of. */
    async rewrite(changed: readonly Mail[], from: string): Promise<number> {
      const files = createMailer({ smtp: undefined, from }, { dataDir });
      const signal = AbortSignal.timeout(60_000);
      let rewritten = 0;
      for (const mail of changed) {
        const { reference, date } = mail;
        if (!(await files.find?.({ reference, receivedAt: date.toISOString() }, signal))) continue;
        const outcome = await files.send(mail, signal);
        if (outcome.kind !== 'delivered')
          throw Object.assign(new Error(describeFailure(outcome.failure)), { code: 'EIO' });
        rewritten++;
      }
      return rewritten;
    },

    async expire({ references, before }: LocalCopyExpiry): Promise<number> {
      const old = (await list()).filter(
        ({ reference, at }) => references.has(reference) || isBefore(at, before),
      );
      await remove(old.map(({ name }) => name));
      return old.length;
    },
  };
}

type MailFile = { name: string; reference: string; at: string; isPart: boolean };

function readName(name: string): MailFile | undefined {
  const [, day, hours, minutes, seconds, reference, part] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)-(.+)\.eml(\.part)?$/.exec(name) ?? [];
  if (!day || !reference) return undefined;
  const at = `${day}T${hours}:${minutes}:${seconds}.000Z`;
  return { name, at, reference: decodeUri(reference) ?? reference, isPart: part !== undefined };
}
