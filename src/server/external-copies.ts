import { createMailCopies } from '../deliveries/mail/mail-copies.ts';
import { createMailReceiver } from '../deliveries/mail/mail-receiver.ts';
import { findOrphanedFiles } from '../deliveries/orphaned-files.ts';
import { createSheetCopies } from '../deliveries/sheet/sheet-copies.ts';
import type { ExternalCopies } from '../domain/privacy/external-copies.ts';
import { databaseFile } from '../store/sqlite.ts';
import type { Config } from './config.ts';
import { createLedger } from './erasure-ledger.ts';
import { toPayload } from './receivers.ts';

/** Includes copies from before a service or a mail server was configured. */
export function createExternalCopies({ dataDir, databaseUrl, mail }: Config): ExternalCopies {
  const sheet = createSheetCopies(dataDir);
  const mails = createMailCopies(dataDir);
  // A database left behind by a move to PostgreSQL is a stray file that holds everything; so is a copy of one.
  const live = databaseUrl ? [] : ['', '-wal', '-shm'].map(end => databaseFile(dataDir) + end);
  const ours = [createLedger(dataDir).place, ...live];
  const isOurs = (path: string) => sheet.isOurs(path) || mails.isOurs(path) || ours.includes(path);

  return {
    find: async whose => [
      ...(await sheet.find(whose)),
      ...(await mails.find(whose)),
      ...(await findOrphanedFiles(dataDir, isOurs, whose)),
    ],
    async erase(erasure) {
      const rows = await sheet.erase(erasure);
      const files = await mails.erase(erasure);
      return { ...rows, ...files, remains: rows.remains + files.remains };
    },
    async rectify(messages, change) {
      const rows = await sheet.rectify(new Set(messages.map(({ reference }) => reference)), change);
      const files = createMailReceiver({ ...mail, smtp: undefined }, { dataDir });
      const attempt = { isPossibleDuplicate: false, signal: AbortSignal.timeout(60_000) };
      let rewritten = 0;
      for (const payload of messages.map(toPayload)) {
        if (!(await files.find?.(payload, attempt.signal))) continue;
        const outcome = await files.deliver(payload, attempt);
        if (outcome.kind !== 'delivered') throw Object.assign(new Error(outcome.why), { code: 'EIO' });
        rewritten++;
      }
      return { rows, mails: rewritten };
    },
    expire: async old => ({ rows: await sheet.expire(old), mails: await mails.expire(old) }),
    removeSubscriberMail: async references => void (await mails.expire({ references, before: undefined })),
  };
}
