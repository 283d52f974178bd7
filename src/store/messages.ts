import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { type Batch, jsonRows } from './batch.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Observer } from './open.ts';
import type { MessageRow, MessageState, Tables } from './tables.ts';

export type NewMessage = MessageRow & { receivers: readonly string[] };

/** `since` is a time, and takes what came at that very moment with it. */
export type MessageFilter = { state?: MessageState; service?: string; since?: string };

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
  /** Quarantined ones that came after one time and up to another, oldest first. */
  listQuarantined(after: string, upTo: string, limit: number): Promise<MessageRow[]>;
  countQuarantined(after: string, upTo: string): Promise<number>;
  /** Out of quarantine or spam and on its way; false when it was in neither. */
  release(reference: string, receivers: readonly string[], now: string): Promise<boolean>;
  /** From now on to nobody, but for what is being sent at this moment; false when it was neither new nor quarantined. */
  markSpam(reference: string, now: string): Promise<boolean>;
};

const largestGroup = 128;
/** While a disk or a database does not answer, what waits for it must not fill the memory. */
const longestLine = 5000;
/** The rest of what a visitor is held for is left to the database. */
const longestWaitMs = 4000;

type MessagesDeps = {
  db: Kysely<Tables>;
  batch: Batch;
  isHopeless(error: unknown): boolean;
  onGroup: Observer['onGroup'] | undefined;
};

export function createMessages({ db, batch, isHopeless, onGroup }: MessagesDeps): Messages {
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
    async count(filter, most) {
      const counted = filtered(db, filter)
        .select(sql.lit(1).as('one'))
        .$if(most !== undefined, query => query.limit(most as number));
      const row = await db
        .selectFrom(counted.as('counted'))
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    listQuarantined: (after, upTo, limit) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('state', '=', 'quarantined')
        .where('received_at', '>', after)
        .where('received_at', '<=', upTo)
        .orderBy('received_at')
        .orderBy('reference')
        .limit(limit)
        .execute(),
    async countQuarantined(after, upTo) {
      const row = await db
        .selectFrom('messages')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('state', '=', 'quarantined')
        .where('received_at', '>', after)
        .where('received_at', '<=', upTo)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    release: (reference, receivers, now) =>
      db.transaction().execute(async transaction => {
        const { numUpdatedRows } = await transaction
          .updateTable('messages')
          .set({ state: 'new', quarantine_reason: '' })
          .where('reference', '=', reference)
          .where('state', 'in', ['quarantined', 'spam'])
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        if (receivers.length === 0) return true;
        await transaction
          .updateTable('deliveries')
          .set({ state: 'waiting', attempts: 0, due_at: now, settled_at: null, last_failure: '' })
          .where('reference', '=', reference)
          .where('receiver', 'in', receivers)
          .where('state', '=', 'dropped')
          .execute();
        await transaction.executeQuery(insertDeliveries(db, [{ reference, received_at: now, receivers }]));
        return true;
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

function filtered(db: Kysely<Tables>, { state, service, since }: MessageFilter) {
  return db
    .selectFrom('messages')
    .$if(state !== undefined, query => query.where('state', '=', state as MessageState))
    .$if(service !== undefined, query => query.where('service', '=', service as string))
    .$if(since !== undefined, query => query.where('received_at', '>=', since as string));
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
