import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { type Batch, jsonRows } from './batch.ts';
import { createGroupCommit } from './group-commit.ts';
import type { MessageRow, MessageState, Tables } from './tables.ts';

export type NewMessage = MessageRow & { receivers: readonly string[] };

export type Messages = {
  /**
   * Stores the message and what is to be delivered of it, together. Resolves once that is committed, with the row as
   * it stands: another one where its key was there before.
   */
  add(message: NewMessage): Promise<MessageRow>;
  get(reference: string): Promise<MessageRow | undefined>;
  /** Newest first. */
  list(state: MessageState | undefined, limit: number): Promise<MessageRow[]>;
  count(state: MessageState | undefined): Promise<number>;
  /** Quarantined ones that came after one time and up to another, oldest first. */
  listQuarantined(after: string, upTo: string, limit: number): Promise<MessageRow[]>;
  countQuarantined(after: string, upTo: string): Promise<number>;
  /** Out of quarantine and on its way; false when it was not there. */
  release(reference: string, receivers: readonly string[], now: string): Promise<boolean>;
};

const largestGroup = 128;
/** While a disk or a database does not answer, what waits for it must not fill the memory. */
const longestLine = 5000;

type MessagesDeps = { db: Kysely<Tables>; batch: Batch; isHopeless(error: unknown): boolean };

export function createMessages({ db, batch, isHopeless }: MessagesDeps): Messages {
  const add = createGroupCommit<NewMessage, MessageRow>(group => addGroup(db, batch, group), {
    most: largestGroup,
    mostWaiting: longestLine,
    isHopeless,
  });
  return {
    add,
    get: reference =>
      db.selectFrom('messages').selectAll().where('reference', '=', reference).executeTakeFirst(),
    list: (state, limit) =>
      db
        .selectFrom('messages')
        .selectAll()
        .$if(state !== undefined, query => query.where('state', '=', state as MessageState))
        .orderBy('received_at', 'desc')
        .orderBy('reference')
        .limit(limit)
        .execute(),
    async count(state) {
      const row = await db
        .selectFrom('messages')
        .select(({ fn }) => fn.countAll().as('count'))
        .$if(state !== undefined, query => query.where('state', '=', state as MessageState))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    listQuarantined: (after, upTo, limit) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('state', '=', quarantined)
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
        .where('state', '=', quarantined)
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
          .where('state', '=', 'quarantined')
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await transaction.executeQuery(insertDeliveries(db, [{ reference, received_at: now, receivers }]));
        return true;
      }),
  };
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

/** Only of messages that were stored: one whose key was there before brings none. */
function insertDeliveries(
  db: Kysely<Tables>,
  messages: Pick<NewMessage, 'reference' | 'received_at' | 'receivers'>[],
): CompiledQuery {
  const rows = messages.flatMap(({ reference, received_at, receivers }) =>
    receivers.map(receiver => [reference, receiver, received_at]),
  );
  return sql`insert into deliveries (reference, receiver, kind, created_at, due_at)
    select messages.reference, value ->> 1, 'message', value ->> 2, value ->> 2
    from ${jsonRows(db, JSON.stringify(rows))} join messages on messages.reference = value ->> 0`.compile(db);
}

/** Written into the query, so that SQLite can tell that the index of just these serves. */
const quarantined = sql.lit('quarantined' as const);

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
