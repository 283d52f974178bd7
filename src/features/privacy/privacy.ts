import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { createExpiry } from '../../core/database/expiry.ts';
import { isAmong, isSqlite } from '../../core/database/query-helpers.ts';
import { cleanUpStorage, type ErasedData, type StorageCleanup } from '../../core/database/storage-cleanup.ts';
import type {
  AttemptRow,
  AuditRow,
  MessageRow,
  NoteRow,
  SignUpRow,
  SubscriberRow,
  Tables,
} from '../../core/database/tables.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { deleteMessageRows } from '../messages/delete-messages.ts';
import type { Correction, MessageFields } from '../messages/message-fields.ts';
import { eachMatching } from '../messages/search-messages.ts';
import { refreshSearchTexts } from '../messages/search-texts.ts';
import { lockMessages, messageColumns } from '../messages/select-messages.ts';

export type NewsletterRecord = {
  subscriber: SubscriberRow | undefined;
  signUps: SignUpRow[];
  tokens: number;
  mails: (Delivery & { name: string | null })[];
};

/** A report of the free audit. */
export type FoundReport = { id: string; domain: string; measuredAt: string };

type MessageErasure = {
  references: readonly string[];
  redacted: readonly (Pick<MessageRow, 'reference'> & MessageFields)[];
  notes: readonly NoteRow[];
  notices: readonly { reference: string; payload: string }[];
  audit: readonly AuditRow[];
};

export type Lease = Pick<Delivery, 'reference' | 'receiver' | 'lease_until'>;

export type Privacy = ReturnType<typeof createPrivacy>;

const pageLength = 200;
const [batchSize, pauseMs] = [500, 20];

const databaseTime = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function createPrivacy(db: Kysely<Tables>, location: string) {
  return {
    ...createExpiry(db),
    /** SQLite: whether WAL and file could be cleared of deleted rows. PostgreSQL: what the server says it keeps. */
    cleanUpStorage: (erased?: ErasedData): Promise<StorageCleanup> => cleanUpStorage(db, location, erased),

    /** Every message if no part is given. */
    eachMessageContaining: (part: string | undefined) =>
      eachMatching(db, part === undefined ? [] : [part], {}, 'oldest'),
    listMessages: listByReference<MessageRow>(db, 'messages', 'received_at, reference', messageColumns),
    listNotes: listByReference<NoteRow>(db, 'notes', 'reference, created_at'),
    listDeliveries: listByReference<Delivery>(db, 'deliveries', 'reference, receiver'),
    listAttempts: listByReference<AttemptRow>(db, 'attempts', 'reference, receiver, number'),

    /** Findings quote what a domain publishes, such as the address in its security.txt. */
    async listReportsContaining(part: string, isAbout: (report: string) => boolean): Promise<FoundReport[]> {
      const contains = isSqlite(db)
        ? sql<boolean>`instr(lower(report), ${part}) > 0`
        : sql<boolean>`position(${part} in lower(report)) > 0`;
      const found = await db
        .selectFrom('audit_reports')
        .selectAll()
        .where(contains)
        .orderBy('measured_at')
        .execute();
      return found
        .filter(({ report }) => isAbout(report))
        .map(({ id, domain, measured_at: measuredAt }) => ({ id, domain, measuredAt }));
    },

    /** With their links. */
    async deleteReports(ids: readonly string[]): Promise<void> {
      for (const part of batches(ids, batchSize)) {
        await db.transaction().execute(async transaction => {
          await transaction.deleteFrom('audit_links').where('report', 'in', part).execute();
          await transaction.deleteFrom('audit_reports').where('id', 'in', part).execute();
        });
      }
    },

    async getNewsletter(id: string): Promise<NewsletterRecord> {
      const [subscriber, signUps, tokens, mails] = await Promise.all([
        db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst(),
        db.selectFrom('sign_ups').selectAll().where('subscriber', '=', id).orderBy('requested_at').execute(),
        db.selectFrom('tokens').select('hash').where('subscriber', '=', id).execute(),
        db
          .selectFrom('deliveries')
          .leftJoin('newsletter_issues', 'newsletter_issues.reference', 'deliveries.issue')
          .selectAll('deliveries')
          .select('newsletter_issues.name')
          .where('deliveries.subscriber', '=', id)
          .orderBy('deliveries.created_at')
          .execute(),
      ]);
      return { subscriber, signUps, tokens: tokens.length, mails };
    },

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

    eachNewsletterIssue: () =>
      inPages(async after => {
        const [row] = await db
          .selectFrom('newsletter_issues')
          .selectAll()
          .where('reference', '>', after)
          .orderBy('reference')
          .limit(1)
          .execute();
        return row ? [{ ...row, text: `${row.subject}\n${row.text}\n${row.html}` }] : [];
      }),

    /** A delivery in progress stays for `listLeases`, until `deleteDeliveries`. */
    async eraseMessages({ references, redacted, notes, notices, audit }: MessageErasure): Promise<void> {
      await recordAudit(db, audit);
      for (const part of batches(references, batchSize)) {
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
      for (const part of batches(redacted, batchSize)) {
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

    /** Deliveries in progress of these messages, to this subscriber, and of notices: a digest may name the person. */
    async listLeases(
      references: readonly string[],
      subscriber: string | undefined,
      now: string,
    ): Promise<Lease[]> {
      // Leases are given by the database's clock where it has one.
      const time = isSqlite(db) ? sql<string>`${now}` : databaseTime;
      const leased = () =>
        db
          .selectFrom('deliveries')
          .select(['reference', 'receiver', 'lease_until'])
          .where('state', '=', 'sending')
          .where('lease_until', '>', time);
      const ofMessages = await inBatches(references, part => leased().where(isAmong(db, part)).execute());
      const ofSubscriber =
        subscriber === undefined ? [] : await leased().where('subscriber', '=', subscriber).execute();
      const ofNotices = await leased()
        .where('kind', '=', sql.lit('notice' as const))
        .execute();
      return [...ofMessages, ...ofSubscriber, ...ofNotices];
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

    recordAudit: (rows: readonly AuditRow[]): Promise<void> => recordAudit(db, rows),

    listAudit: (hash: string): Promise<AuditRow[]> =>
      db
        .selectFrom('audit')
        .selectAll()
        .where('hash', '=', hash)
        .orderBy('done_at')
        .orderBy('action')
        .execute(),
  };
}

async function recordAudit(
  db: Kysely<Tables> | Transaction<Tables>,
  rows: readonly AuditRow[],
): Promise<void> {
  for (const part of batches(rows, batchSize)) {
    await db
      .insertInto('audit')
      .values(part)
      .onConflict(conflict => conflict.columns(['hash', 'action', 'done_at']).doNothing())
      .execute();
  }
}

function listByReference<Row>(
  db: Kysely<Tables>,
  table: keyof Tables,
  order: string,
  columns?: readonly (keyof Row & string)[],
) {
  const selected = columns ? sql.join(columns.map(name => sql.ref(name))) : sql.raw('*');
  return (references: readonly string[]) =>
    inBatches(references, async part => {
      const { rows } = await sql<Row>`select ${selected} from ${sql.table(table)}
        where ${isAmong(db, part)} order by ${sql.raw(order)}`.execute(db);
      return rows;
    });
}

async function* inPages<Row extends { reference: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let page = await read(''); page.length > 0; page = await read(page.at(-1)?.reference as string)) {
    yield page;
  }
}

async function inBatches<Row>(
  references: readonly string[],
  read: (part: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of batches(references, 1000)) for (const row of await read(part)) rows.push(row);
  return rows;
}

function* batches<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}
