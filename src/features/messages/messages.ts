import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { createGroupCommit, type GroupDeps } from '../../core/database/group-commit.ts';
import {
  type Batch,
  countRows,
  insertRows,
  isAmong,
  isSqlite,
  jsonRows,
} from '../../core/database/query-helpers.ts';
import {
  type MessageRow,
  type MessageState,
  messageStates,
  type Tables,
} from '../../core/database/tables.ts';
import { createMessageRecords } from './message-records.ts';
import { createMessageStates } from './message-states.ts';
import { eachMatching } from './search-messages.ts';
import { buildSearchText } from './search-texts.ts';
import {
  type MessageCursor,
  type MessageFilter,
  type MessageOrder,
  messageColumns,
  readPages,
  selectMessages,
  selectPage,
} from './select-messages.ts';
import { transitions } from './states.ts';

export type NewMessage = MessageRow & { receivers: readonly string[] };

export type Messages = ReturnType<typeof createMessages>;

const releaseBatchSize = 250;

export function createMessages({ db, batch, limits }: GroupDeps) {
  const groupCommit = createGroupCommit<NewMessage, MessageRow>(group => addGroup(db, batch, group), limits);
  return {
    /** `add` resolves once message and deliveries are committed; with the earlier row where the idempotency key was known. */
    ...groupCommit,
    ...createMessageStates(db),
    ...createMessageRecords(db),
    get: (reference: string): Promise<MessageRow | undefined> =>
      db.selectFrom('messages').select(messageColumns).where('reference', '=', reference).executeTakeFirst(),
    list: (filter: MessageFilter, { limit, before }: { limit: number; before?: MessageCursor }) =>
      selectPage(db, filter, { order: 'newest', limit, after: before }).select(messageColumns).execute(),
    async findNext(
      filter: MessageFilter,
      order: MessageOrder,
      after: MessageCursor,
    ): Promise<string | undefined> {
      const [next] = await selectPage(db, filter, { order, limit: 1, after }).select('reference').execute();
      return next?.reference;
    },
    each: (filter: MessageFilter, order: MessageOrder) => readPages(db, filter, order),
    search: (
      words: readonly string[],
      filter: MessageFilter,
      { order = 'newest', after }: { order?: MessageOrder; after?: MessageCursor | undefined } = {},
    ): AsyncGenerator<MessageRow[]> => eachMatching(db, words, filter, order, after),
    count: (filter: MessageFilter, max?: number): Promise<number> =>
      countRows(db, selectMessages(db, filter), max),
    async countStates(): Promise<Record<MessageState, number>> {
      const rows = await db
        .selectFrom('messages')
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .groupBy('state')
        .execute();
      const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]));
      return Object.fromEntries(messageStates.map(state => [state, counts.get(state) ?? 0])) as Record<
        MessageState,
        number
      >;
    },
    async countStored(after: string, upTo: string, max?: number): Promise<number> {
      // One query for each state, so that the index alone answers it.
      const counts = messageStates
        .filter(state => state !== 'empty')
        .map(state =>
          countRows(db, selectMessages(db, { state, upTo }).where('received_at', '>', after), max),
        );
      return (await Promise.all(counts)).reduce((sum, number) => sum + number, 0);
    },
    listQuarantined: (after: string, upTo: string, limit: number): Promise<MessageRow[]> =>
      selectMessages(db, { state: 'quarantined', upTo })
        .select(messageColumns)
        .where('received_at', '>', after)
        .orderBy('received_at', 'desc')
        .orderBy('reference', 'desc')
        .limit(limit)
        .execute(),
    countQuarantined: (after: string, upTo: string): Promise<number> =>
      countRows(db, selectMessages(db, { state: 'quarantined', upTo }).where('received_at', '>', after)),
    release: (reference: string, receivers: readonly string[], now: string): Promise<boolean> =>
      db.transaction().execute(async transaction => {
        const { numUpdatedRows } = await transaction
          .updateTable('messages')
          .set({ state: 'new', quarantine_reason: '', answered_at: null, closed_at: null })
          .where('reference', '=', reference)
          .where('state', 'in', transitions.release.from)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await sendReleased(transaction, [reference], receivers, now);
        return true;
      }),
    releaseBatch: (
      filter: Omit<MessageFilter, 'state'>,
      receivers: readonly string[],
      now: string,
    ): Promise<number> =>
      db.transaction().execute(async transaction => {
        const found = await selectMessages(transaction, { ...filter, state: 'quarantined' })
          .select('reference')
          .orderBy('received_at')
          .orderBy('reference')
          .limit(releaseBatchSize)
          .$if(!isSqlite(db), query => query.forUpdate().skipLocked())
          .execute();
        if (found.length === 0) return 0;
        const references = found.map(({ reference }) => reference);
        await transaction
          .updateTable('messages')
          .set({ state: 'new', quarantine_reason: '', answered_at: null, closed_at: null })
          .where(isAmong(transaction, references))
          .execute();
        await sendReleased(transaction, references, receivers, now);
        return found.length;
      }),
  };
}

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
    .where('state', '=', 'cancelled')
    .execute();
  const released = references.map(reference => ({ reference, received_at: now, receivers }));
  await transaction.executeQuery(insertDeliveries(transaction, released));
}

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
  // Looked up after the commit, so that a failure concerns only the messages whose key was known.
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

function insertMessages(db: Kysely<Tables>, rows: MessageRow[]): CompiledQuery {
  // Every process inserts in this order, so that two processes that store the same keys cannot deadlock.
  const inOrder = rows
    .toSorted((a, b) => ((a.idempotency_key ?? '') < (b.idempotency_key ?? '') ? -1 : 1))
    .map(row => ({ ...row, search_text: buildSearchText(row) }));
  return sql`${insertRows(db, 'messages', insertedColumns, inOrder)}
    on conflict (idempotency_key) do nothing returning reference`.compile(db);
}

function insertDeliveries(
  db: Kysely<Tables>,
  messages: Pick<NewMessage, 'reference' | 'received_at' | 'receivers'>[],
): CompiledQuery {
  const rows = messages.flatMap(({ reference, received_at, receivers }) =>
    receivers.map(receiver => [reference, receiver, received_at]),
  );
  return sql`insert into deliveries (reference, receiver, kind, created_at, due_at)
    select messages.reference, value ->> 1, 'message', value ->> 2, value ->> 2
    from ${jsonRows(db, rows)} join messages on messages.reference = value ->> 0 where true
    on conflict (reference, receiver) do nothing`.compile(db);
}

const insertedColumns = [...messageColumns, 'search_text'] as const;

async function findByKey(db: Kysely<Tables>, keys: string[]): Promise<Map<string, MessageRow>> {
  const rows = await db
    .selectFrom('messages')
    .select(messageColumns)
    .where('idempotency_key', 'in', [...new Set(keys)])
    .execute();
  return new Map(rows.map(row => [row.idempotency_key as string, row]));
}
