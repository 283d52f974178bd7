import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import {
  inBatches,
  inPages,
  isAmong,
  listByReference,
  splitBatches,
} from '../../core/database/query-helpers.ts';
import type { AttemptRow, MessageRow, NoteRow, Tables } from '../../core/database/tables.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { deleteMessageRows } from './delete-messages.ts';
import { createMessageExpiry } from './message-expiry.ts';
import type { Correction, MessageFields } from './message-fields.ts';
import { eachMatching } from './search-messages.ts';
import { refreshSearchTexts } from './search-texts.ts';
import { lockMessages, messageColumns } from './select-messages.ts';

type MessageErasure = {
  references: readonly string[];
  redacted: readonly (Pick<MessageRow, 'reference'> & MessageFields)[];
  notes: readonly NoteRow[];
  notices: readonly { reference: string; payload: string }[];
};

const pageLength = 200;
const [batchSize, pauseMs] = [500, 20];

/** What is stored of messages and their deliveries, to be found, exported, corrected, erased and expired. */
export function createMessageRecords(db: Kysely<Tables>) {
  return {
    ...createMessageExpiry(db),

    /** Every message if no part is given. */
    eachMessageContaining: (part: string | undefined) =>
      eachMatching(db, part === undefined ? [] : [part], {}, 'oldest'),
    listMessages: listByReference<MessageRow>(db, 'messages', 'received_at, reference', messageColumns),
    listNotes: listByReference<NoteRow>(db, 'notes', 'reference, created_at'),
    listDeliveries: listByReference<Delivery>(db, 'deliveries', 'reference, receiver'),
    listAttempts: listByReference<AttemptRow>(db, 'attempts', 'reference, receiver, number'),

    eachNotice: () =>
      inPages(after =>
        db
          .selectFrom('deliveries')
          .select(['reference', 'created_at', 'payload'])
          .distinct()
          .where('kind', '=', sql.lit('notice' as const))
          .where('reference', '>', after)
          .orderBy('reference')
          .limit(pageLength)
          .execute(),
      ),

    /** A delivery in progress stays for `waitForDeliveries`, until `deleteDeliveries`. */
    async eraseMessages({ references, redacted, notes, notices }: MessageErasure): Promise<void> {
      for (const part of splitBatches(references, batchSize)) {
        await wait(pauseMs);
        await db.transaction().execute(async transaction => {
          await deleteMessageRows(transaction, part);
          await transaction
            .deleteFrom('deliveries')
            .where(isAmong(db, part))
            .where('state', '!=', 'sending')
            .execute();
        });
      }
      for (const part of splitBatches(redacted, batchSize)) {
        await wait(pauseMs);
        const changed = part.map(({ reference }) => reference);
        await db.transaction().execute(async transaction => {
          await lockMessages(transaction, changed);
          for (const { reference, ...fields } of part) {
            await transaction
              .updateTable('messages')
              .set(fields)
              .where('reference', '=', reference)
              .execute();
          }
          await refreshSearchTexts(transaction, changed);
        });
      }
      for (const { reference, created_at, text } of notes) {
        await db.transaction().execute(async transaction => {
          await lockMessages(transaction, [reference]);
          await transaction
            .updateTable('notes')
            .set({ text })
            .where('reference', '=', reference)
            .where('created_at', '=', created_at)
            .execute();
          await refreshSearchTexts(transaction, [reference]);
        });
      }
      for (const { reference, payload } of notices) {
        await db.updateTable('deliveries').set({ payload }).where('reference', '=', reference).execute();
      }
    },

    async deleteDeliveries(references: readonly string[]): Promise<void> {
      await inBatches(references, async part => {
        await db.deleteFrom('deliveries').where(isAmong(db, part)).execute();
        await db.deleteFrom('attempts').where(isAmong(db, part)).execute();
        return [];
      });
    },

    async rectifyMessages(references: readonly string[], change: Correction) {
      await db.transaction().execute(async transaction => {
        await lockMessages(transaction, references);
        await transaction.updateTable('messages').set(change).where(isAmong(db, references)).execute();
        await refreshSearchTexts(transaction, references);
      });
    },
  };
}
