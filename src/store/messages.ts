import { type CompiledQuery, type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { type Batch, isAmong, jsonRows } from './batch.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Dialect, Observer } from './open.ts';
import type { MessageRow, MessageState, Tables } from './tables.ts';

export type NewMessage = MessageRow & { receivers: readonly string[] };

/** `since` and `upTo` are times, and take what came at that very moment with them. `reason`: one word of the list. */
export type MessageFilter = {
  state?: MessageState;
  service?: string;
  since?: string;
  upTo?: string;
  reason?: string;
};

/** A place in the order of arrival, which no two messages share. */
export type MessagePlace = Pick<MessageRow, 'received_at' | 'reference'>;

export type Messages = {
  /**
   * Stores the message and what is to be delivered of it, together. Resolves once that is committed, with the row as
   * it stands: another one where its key was there before.
   */
  add(message: NewMessage): Promise<MessageRow>;
  /** False while the next one would be turned away as `Busy`. */
  hasRoom(): boolean;
  get(reference: string): Promise<MessageRow | undefined>;
  /** Newest first, from the one before which a page ended. */
  list(filter: MessageFilter, page: { limit: number; before?: MessagePlace }): Promise<MessageRow[]>;
  /** All of them, a page at a time: what arrives or goes meanwhile does no harm, and nobody waits for the reader. */
  each(filter: MessageFilter, order: 'newest' | 'oldest', after?: MessagePlace): AsyncGenerator<MessageRow[]>;
  /** Counts no further than `most`. */
  count(filter: MessageFilter, most?: number): Promise<number>;
  /** All but empty ones that came after one time and up to another. Counts no further than `most` of each state. */
  countStored(after: string, upTo: string, most?: number): Promise<number>;
  /** Quarantined ones that came after one time and up to another, newest first. */
  listQuarantined(after: string, upTo: string, limit: number): Promise<MessageRow[]>;
  countQuarantined(after: string, upTo: string): Promise<number>;
  /** Out of quarantine or spam and on its way; false when it was in neither. */
  release(reference: string, receivers: readonly string[], now: string): Promise<boolean>;
  /** The same for the first few hundred in quarantine that fit; how many there were. */
  releaseSome(
    filter: Omit<MessageFilter, 'state'>,
    receivers: readonly string[],
    now: string,
  ): Promise<number>;
  /** From now on to nobody, but for what is being sent at this moment; false when it was neither new nor quarantined. */
  markSpam(reference: string, now: string): Promise<boolean>;
};

const largestGroup = 128;
/** While a disk or a database does not answer, what waits for it must not fill the memory. */
const longestLine = 5000;
/** The rest of what a visitor is held for is left to the database. */
const longestWaitMs = 4000;

/** Messages that one transaction releases. */
const releasedAtOnce = 250;

type MessagesDeps = {
  db: Kysely<Tables>;
  dialect: Dialect;
  batch: Batch;
  isHopeless(error: unknown): boolean;
  onGroup: Observer['onGroup'] | undefined;
};

export function createMessages({ db, dialect, batch, isHopeless, onGroup }: MessagesDeps): Messages {
  const line = createGroupCommit<NewMessage, MessageRow>(group => addGroup(db, batch, group), {
    most: largestGroup,
    mostWaiting: longestLine,
    longestMs: longestWaitMs,
    isHopeless,
    onGroup,
  });
  return {
    ...line,
    get: reference =>
      db.selectFrom('messages').selectAll().where('reference', '=', reference).executeTakeFirst(),
    list: (filter, { limit, before }) => readPage(db, filter, { order: 'newest', limit, after: before }),
    async *each(filter, order, after) {
      for (;;) {
        const page = await readPage(db, filter, { order, limit: pageLength, after });
        if (page.length > 0) yield page;
        if (page.length < pageLength) return;
        after = page.at(-1);
      }
    },
    count: (filter, most) => count(db, filtered(db, filter), most),
    async countStored(after, upTo, most) {
      // One question for each state: the index answers it without reading a row.
      const counts = (['new', 'quarantined', 'spam'] as const).map(state =>
        count(db, filtered(db, { state, upTo }).where('received_at', '>', after), most),
      );
      return (await Promise.all(counts)).reduce((sum, number) => sum + number, 0);
    },
    listQuarantined: (after, upTo, limit) =>
      filtered(db, { state: 'quarantined', upTo })
        .selectAll()
        .where('received_at', '>', after)
        .orderBy('received_at', 'desc')
        .orderBy('reference', 'desc')
        .limit(limit)
        .execute(),
    countQuarantined: (after, upTo) =>
      count(db, filtered(db, { state: 'quarantined', upTo }).where('received_at', '>', after)),
    release: (reference, receivers, now) =>
      db.transaction().execute(async transaction => {
        const { numUpdatedRows } = await transaction
          .updateTable('messages')
          .set({ state: 'new', quarantine_reason: '' })
          .where('reference', '=', reference)
          .where('state', 'in', ['quarantined', 'spam'])
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await sendReleased(transaction, [reference], receivers, now);
        return true;
      }),
    releaseSome: (filter, receivers, now) =>
      db.transaction().execute(async transaction => {
        const found = await filtered(transaction, { ...filter, state: 'quarantined' })
          .select('reference')
          .orderBy('received_at')
          .orderBy('reference')
          .limit(releasedAtOnce)
          // What another process releases at this moment is left to it.
          .$if(dialect === 'postgres', query => query.forUpdate().skipLocked())
          .execute();
        if (found.length === 0) return 0;
        const references = found.map(({ reference }) => reference);
        await transaction
          .updateTable('messages')
          .set({ state: 'new', quarantine_reason: '' })
          .where(isAmong(transaction, references))
          .execute();
        await sendReleased(transaction, references, receivers, now);
        return found.length;
      }),
    markSpam: (reference, now) =>
      db.transaction().execute(async transaction => {
        const { numUpdatedRows } = await transaction
          .updateTable('messages')
          .set({ state: 'spam' })
          .where('reference', '=', reference)
          .where('state', 'in', ['new', 'quarantined'])
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        // Those given up as well: whoever sends all of these again does not mean spam.
        await transaction
          .updateTable('deliveries')
          .set({ state: 'dropped', settled_at: now, last_failure: 'marked as spam' })
          .where('reference', '=', reference)
          .where('state', 'in', ['waiting', 'dead'])
          .execute();
        return true;
      }),
  };
}

/** Worth its way to the database, and gone from memory before it counts as old there: longer pages pile up as garbage. */
const pageLength = 250;

type Page = { order: 'newest' | 'oldest'; limit: number; after: MessagePlace | undefined };

function readPage(
  db: Kysely<Tables>,
  filter: MessageFilter,
  { order, limit, after }: Page,
): Promise<MessageRow[]> {
  const direction = order === 'newest' ? 'desc' : 'asc';
  const beyond = order === 'newest' ? sql.raw('<') : sql.raw('>');
  return filtered(db, filter)
    .selectAll()
    .$if(after !== undefined, query => {
      const { received_at, reference } = after as MessagePlace;
      return query.where(sql<boolean>`(received_at, reference) ${beyond} (${received_at}, ${reference})`);
    })
    .orderBy('received_at', direction)
    .orderBy('reference', direction)
    .limit(limit)
    .execute();
}

function filtered(db: Kysely<Tables>, { state, service, since, upTo, reason }: MessageFilter) {
  return db
    .selectFrom('messages')
    .$if(state !== undefined, query => query.where('state', '=', state as MessageState))
    .$if(service !== undefined, query => query.where('service', '=', service as string))
    .$if(since !== undefined, query => query.where('received_at', '>=', since as string))
    .$if(upTo !== undefined, query => query.where('received_at', '<=', upTo as string))
    .$if(reason !== undefined, query =>
      query.where(sql<boolean>`', ' || quarantine_reason || ', ' like ${`%, ${reason}, %`}`),
    );
}

async function count(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, 'messages', object>,
  most?: number,
): Promise<number> {
  const counted = query
    .select(sql.lit(1).as('one'))
    .$if(most !== undefined, limited => limited.limit(most as number));
  const row = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** To everyone who does not have them, and whom they were not on their way to. */
async function sendReleased(
  transaction: Transaction<Tables>,
  references: readonly string[],
  receivers: readonly string[],
  now: string,
): Promise<void> {
  if (receivers.length === 0) return;
  await transaction
    .updateTable('deliveries')
    .set({ state: 'waiting', attempts: 0, due_at: now, settled_at: null, last_failure: '' })
    .where(isAmong(transaction, references))
    .where('receiver', 'in', receivers)
    .where('state', '=', 'dropped')
    .execute();
  const released = references.map(reference => ({ reference, received_at: now, receivers }));
  await transaction.executeQuery(insertDeliveries(transaction, released));
}

/** Two statements, whatever the size of the group and whichever of its keys are known already. */
async function addGroup(
  db: Kysely<Tables>,
  batch: Batch,
  group: NewMessage[],
): Promise<(MessageRow | Promise<MessageRow>)[]> {
  const rows = group.map(({ receivers: _, ...row }) => row);
  const queries = [insertMessages(db, rows)];
  if (group.some(({ receivers }) => receivers.length > 0)) queries.push(insertDeliveries(db, group));
  const [inserted] = await batch(queries);
  const isNew = new Set(inserted?.rows.map(row => (row as MessageRow).reference));
  if (isNew.size === group.length) return rows;
  // Looked up after the commit: should that fail, it fails for those alone whose key was known.
  const known = findByKey(
    db,
    rows.filter(({ reference }) => !isNew.has(reference)).map(row => row.idempotency_key as string),
  );
  return rows.map(row =>
    isNew.has(row.reference)
      ? row
      : known.then(found => found.get(row.idempotency_key as string) as MessageRow),
  );
}

/** Rows go in as one JSON text: one parameter to pass on, and the same prepared statement for every group. */
function insertMessages(db: Kysely<Tables>, rows: MessageRow[]): CompiledQuery {
  // Two processes that store the same keys take them in the same order, so that neither waits for the other in a ring.
  const inOrder = rows.toSorted((a, b) => ((a.idempotency_key ?? '') < (b.idempotency_key ?? '') ? -1 : 1));
  const names = messageColumns.map(name => sql.ref(name));
  const values = messageColumns.map((_, index) => sql`value ->> ${sql.lit(index)}`);
  const json = JSON.stringify(inOrder.map(row => messageColumns.map(name => row[name])));
  return sql`insert into messages (${sql.join(names)}) select ${sql.join(values)} from ${jsonRows(db, json)} where true
    on conflict (idempotency_key) do nothing returning reference`.compile(db);
}

/** Only of messages that were stored: one whose key was there before brings none, nor what there is already. */
function insertDeliveries(
  db: Kysely<Tables>,
  messages: Pick<NewMessage, 'reference' | 'received_at' | 'receivers'>[],
): CompiledQuery {
  const rows = messages.flatMap(({ reference, received_at, receivers }) =>
    receivers.map(receiver => [reference, receiver, received_at]),
  );
  return sql`insert into deliveries (reference, receiver, kind, created_at, due_at)
    select messages.reference, value ->> 1, 'message', value ->> 2, value ->> 2
    from ${jsonRows(db, JSON.stringify(rows))} join messages on messages.reference = value ->> 0 where true
    on conflict (reference, receiver) do nothing`.compile(db);
}

const messageColumns = [
  'reference',
  'received_at',
  'state',
  'name',
  'email',
  'message',
  'service',
  'idempotency_key',
  'quarantine_reason',
] as const satisfies (keyof MessageRow)[];

async function findByKey(db: Kysely<Tables>, keys: string[]): Promise<Map<string, MessageRow>> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('idempotency_key', 'in', [...new Set(keys)])
    .execute();
  return new Map(rows.map(row => [row.idempotency_key as string, row]));
}
