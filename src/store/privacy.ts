import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { holdMessages, isAmong } from './batch.ts';
import { createExpiry, type Expiry } from './expiry.ts';
import { createLeftovers, type Leftovers } from './leftovers.ts';
import type { Dialect } from './open.ts';
import type { Delivery } from './outbox.ts';
import type { AttemptRow, AuditRow, MessageRow, SignUpRow, SubscriberRow, Tables } from './tables.ts';

export type { Settled } from './leftovers.ts';

export type NewsletterRecord = {
  subscriber: SubscriberRow | undefined;
  signUps: SignUpRow[];
  tokens: number;
  /** To this reader, in the order they were made; with the name of the issue. */
  letters: (Delivery & { name: string | null })[];
};

export type Redacted = Pick<MessageRow, 'reference' | 'name' | 'email' | 'message' | 'service'>;

export type MessageErasure = {
  references: readonly string[];
  /** Others' messages, as they are to be. */
  redacted: readonly Redacted[];
  notices: readonly { reference: string; payload: string }[];
  audit: readonly AuditRow[];
};

export type Lease = Pick<Delivery, 'reference' | 'receiver' | 'lease_until'>;

/** All that is kept about somebody, wherever it stands, and how it is put right or goes. */
export type Privacy = Person & Expiry & Leftovers;

type Person = {
  /** Messages in which this stands, whatever its capitals; without it all of them. A page at a time, oldest first. */
  eachHolding(part: string | undefined): AsyncGenerator<MessageRow[]>;
  listMessages(references: readonly string[]): Promise<MessageRow[]>;
  listDeliveries(references: readonly string[]): Promise<Delivery[]>;
  listAttemptsOf(references: readonly string[]): Promise<AttemptRow[]>;
  getNewsletter(subscriber: string): Promise<NewsletterRecord>;
  /** The site's own words to its owner, and to its readers: a page of each at a time. */
  eachNotice(): AsyncGenerator<Pick<Delivery, 'reference' | 'created_at' | 'payload'>[]>;
  eachIssue(): AsyncGenerator<{ reference: string; name: string; text: string }[]>;
  /**
   * The audit remembers it, messages go, and others are put in the words given: some at a time, so whoever was cut off
   * half-way does it again. A delivery that is under way stays until it is forgotten, so that whoever waits for its end
   * can see it; nothing is begun of it any more.
   */
  eraseMessages(erasure: MessageErasure): Promise<void>;
  /** What is being delivered at this moment of these messages, to this reader, and to the owner: a digest may name them. */
  listLeases(references: readonly string[], subscriber: string | undefined, now: string): Promise<Lease[]>;
  forgetDeliveries(references: readonly string[]): Promise<void>;
  rectifyMessages(references: readonly string[], change: { name?: string; email?: string }): Promise<number>;
  record(rows: readonly AuditRow[]): Promise<void>;
  /** Oldest first. */
  listAudit(hash: string): Promise<AuditRow[]>;
};

/** A message may be 64 KB long: so many are looked at by one question, or held at once. */
const [scanned, pageLength] = [1000, 200];
/** Rows in one transaction, for which visitors wait; and how long their turn is before the next one. */
const [most, betweenMs] = [500, 20];

export function createPrivacy(db: Kysely<Tables>, dialect: Dialect, place: string): Privacy {
  return {
    ...createExpiry(db, dialect),
    ...createLeftovers(db, dialect, place),

    async *eachHolding(part) {
      const contains = part === undefined ? sql<boolean>`1 = 1` : holds(dialect, part);
      for (let after: Place | undefined = { received_at: '', reference: '' }; after; ) {
        // However rare it is, each question ends long before a database loses its patience.
        const upTo: Place | undefined = await findPlace(db, after);
        const { received_at, reference } = after;
        const page = await db
          .selectFrom('messages')
          .selectAll()
          .where(sql<boolean>`(received_at, reference) > (${received_at}, ${reference})`)
          // Times alone as well: of pairs PostgreSQL cannot tell how few they are, and would read the whole table.
          .where('received_at', '>=', received_at)
          .$if(upTo !== undefined, query =>
            query
              .where(sql<boolean>`(received_at, reference) <= (${upTo?.received_at}, ${upTo?.reference})`)
              .where('received_at', '<=', upTo?.received_at as string),
          )
          .where(contains)
          .orderBy('received_at')
          .orderBy('reference')
          .execute();
        if (page.length > 0) yield page;
        after = upTo;
      }
    },

    listMessages: references =>
      inParts(references, part =>
        db
          .selectFrom('messages')
          .selectAll()
          .where(isAmong(db, part))
          .orderBy('received_at')
          .orderBy('reference')
          .execute(),
      ),

    listDeliveries: references =>
      inParts(references, part =>
        db
          .selectFrom('deliveries')
          .selectAll()
          .where(isAmong(db, part))
          .orderBy('reference')
          .orderBy('receiver')
          .execute(),
      ),

    listAttemptsOf: references =>
      inParts(references, part =>
        db
          .selectFrom('attempts')
          .selectAll()
          .where(isAmong(db, part))
          .orderBy('reference')
          .orderBy('receiver')
          .orderBy('number')
          .execute(),
      ),

    async getNewsletter(id) {
      const [subscriber, signUps, tokens, letters] = await Promise.all([
        db.selectFrom('subscribers').selectAll().where('id', '=', id).executeTakeFirst(),
        db.selectFrom('sign_ups').selectAll().where('subscriber', '=', id).orderBy('asked_at').execute(),
        db.selectFrom('tokens').select('hash').where('subscriber', '=', id).execute(),
        db
          .selectFrom('deliveries')
          .leftJoin('issues', 'issues.reference', 'deliveries.issue')
          .selectAll('deliveries')
          .select('issues.name')
          .where('deliveries.subscriber', '=', id)
          .orderBy('deliveries.created_at')
          .execute(),
      ]);
      return { subscriber, signUps, tokens: tokens.length, letters };
    },

    async *eachNotice() {
      let after = '';
      for (;;) {
        const page = await db
          .selectFrom('deliveries')
          .select(['reference', 'created_at', 'payload'])
          .distinct()
          .where('kind', '=', sql.lit('notice' as const))
          .where('reference', '>', after)
          .orderBy('reference')
          .limit(pageLength)
          .execute();
        if (page.length > 0) yield page;
        if (page.length < pageLength) return;
        after = page.at(-1)?.reference ?? '';
      }
    },

    async *eachIssue() {
      let after = '';
      for (;;) {
        const row = await db
          .selectFrom('issues')
          .selectAll()
          .where('reference', '>', after)
          .orderBy('reference')
          .limit(1)
          .executeTakeFirst();
        if (!row) return;
        const { reference, name, subject, html, text } = row;
        yield [{ reference, name, text: `${subject}\n${text}\n${html}` }];
        after = reference;
      }
    },

    async eraseMessages({ references, redacted, notices, audit }) {
      await record(db, audit);
      for (const part of partsOf(references, most)) {
        await wait(betweenMs);
        await db.transaction().execute(async transaction => {
          await holdMessages(transaction, dialect, part);
          const these = isAmong(db, part);
          await transaction.deleteFrom('messages').where(these).execute();
          await transaction.deleteFrom('attempts').where(these).execute();
          await transaction.deleteFrom('deliveries').where(these).where('state', '!=', 'sending').execute();
        });
      }
      for (const part of partsOf(redacted, most)) {
        await wait(betweenMs);
        await db.transaction().execute(async transaction => {
          for (const { reference, ...words } of part) {
            await transaction.updateTable('messages').set(words).where('reference', '=', reference).execute();
          }
        });
      }
      for (const { reference, payload } of notices) {
        await db.updateTable('deliveries').set({ payload }).where('reference', '=', reference).execute();
      }
    },

    listLeases: async (references, subscriber, now) => {
      const held = () =>
        db
          .selectFrom('deliveries')
          .select(['reference', 'receiver', 'lease_until'])
          .where('state', '=', 'sending')
          .where('lease_until', '>', now);
      const ofMessages = await inParts(references, part => held().where(isAmong(db, part)).execute());
      const ofLetters =
        subscriber === undefined ? [] : await held().where('subscriber', '=', subscriber).execute();
      const ofNotices = await held()
        .where('kind', '=', sql.lit('notice' as const))
        .execute();
      return [...ofMessages, ...ofLetters, ...ofNotices];
    },

    async forgetDeliveries(references) {
      await inParts(references, async part => {
        await db.deleteFrom('deliveries').where(isAmong(db, part)).execute();
        await db.deleteFrom('attempts').where(isAmong(db, part)).execute();
        return [];
      });
    },

    async rectifyMessages(references, change) {
      const { numUpdatedRows } = await db
        .updateTable('messages')
        .set(change)
        .where(isAmong(db, references))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },

    record: rows => record(db, rows),

    listAudit: hash =>
      db
        .selectFrom('audit')
        .selectAll()
        .where('hash', '=', hash)
        .orderBy('done_at')
        .orderBy('action')
        .execute(),
  };
}

type Place = Pick<MessageRow, 'received_at' | 'reference'>;

/** Undefined when no more than so many are left. */
function findPlace(db: Kysely<Tables>, { received_at, reference }: Place): Promise<Place | undefined> {
  return db
    .selectFrom('messages')
    .select(['received_at', 'reference'])
    .where(sql<boolean>`(received_at, reference) > (${received_at}, ${reference})`)
    .orderBy('received_at')
    .orderBy('reference')
    .offset(scanned - 1)
    .limit(1)
    .executeTakeFirst();
}

function holds(dialect: Dialect, part: string): RawBuilder<boolean> {
  const pattern = `%${part.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`;
  // For ASCII, which is all that is asked for, capitals do not count in either.
  const like = dialect === 'postgres' ? sql.raw('ilike') : sql.raw('like');
  const columns = ['email', 'message', 'name', 'service'].map(
    name => sql`${sql.ref(name)} ${like} ${pattern} escape '\\'`,
  );
  return sql<boolean>`(${sql.join(columns, sql` or `)})`;
}

async function record(db: Kysely<Tables> | Transaction<Tables>, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('audit')
    .values([...rows])
    .onConflict(conflict => conflict.columns(['hash', 'action', 'done_at']).doNothing())
    .execute();
}

async function inParts<Row>(
  references: readonly string[],
  read: (part: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of partsOf(references, 1000)) for (const row of await read(part)) rows.push(row);
  return rows;
}

function* partsOf<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += length) yield items.slice(at, at + length);
}
