import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { messageFieldNames } from '../features/messages/message-fields.ts';
import { foldText } from '../lib/fold-text.ts';
import { searchTextsLock } from './advisory-lock.ts';
import { insertRows, isAmong, isSqlite } from './query-helpers.ts';
import { type MessageCursor, selectPage } from './select-messages.ts';
import type { MessageRow, Tables } from './tables.ts';

/** A batch is one transaction, which visitors wait for. */
const batchSize = 100;
const pageLength = 1000;

const fieldNames = ['reference', ...messageFieldNames] as const;
type Fields = Pick<MessageRow, (typeof fieldNames)[number]>;

/** What is searched. The index of SQLite would end at a NUL. */
export function buildSearchText(fields: Fields, notes: readonly { text: string }[]): string {
  const texts = [...fieldNames.map(name => fields[name]), ...notes.map(({ text }) => text)];
  return foldText(texts.join('\n')).replaceAll('\0', ' ');
}

/** `pauses`: how many times as long as a batch took it then waits. */
type FillOptions = { max?: number; pauses?: number; signal?: AbortSignal | undefined };

/** Adds the texts of new messages, the newest first. True once every message has its text. */
export async function fillSearchTexts(
  db: Kysely<Tables>,
  { max = Number.POSITIVE_INFINITY, pauses = 0, signal }: FillOptions,
): Promise<boolean> {
  let missing = await countMissing(db);
  let left = max;
  for (let after: MessageCursor | undefined; missing > 0; ) {
    const page: MessageCursor[] = await selectPage(db, {}, { order: 'newest', limit: pageLength, after })
      .select(['received_at', 'reference'])
      .execute();
    if (page.length === 0) return true;
    const found = await listWithoutText(
      db,
      page.map(({ reference }) => reference),
    );
    for (let at = 0; at < found.length; at += batchSize) {
      if (left <= 0 || signal?.aborted) return false;
      const batch = found.slice(at, at + Math.min(batchSize, left));
      const started = performance.now();
      await db.transaction().execute(transaction => addTexts(transaction, batch));
      left -= batch.length;
      missing -= batch.length;
      if (pauses > 0 && missing > 0) await wait(pauses * (performance.now() - started));
    }
    after = page.at(-1);
  }
  return true;
}

/** Texts are of stored messages only, so the difference is what has none yet. */
async function countMissing(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ n: unknown }>`select
    (select count(*) from messages) - (select count(*) from search_texts) as n`.execute(db);
  return Number(rows[0]?.n);
}

async function listWithoutText(db: Kysely<Tables>, references: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('search_texts')
    .select('reference')
    .where(isAmong(db, references))
    .execute();
  const known = new Set(rows.map(({ reference }) => reference));
  return references.filter(reference => !known.has(reference));
}

async function addTexts(db: Transaction<Tables>, references: readonly string[]): Promise<void> {
  await lock(db);
  const messages = await db
    .selectFrom('messages')
    .select(fieldNames)
    .where(isAmong(db, references))
    .orderBy('received_at')
    .execute();
  const all = await db
    .selectFrom('notes')
    .selectAll()
    .where(isAmong(db, references))
    .orderBy('created_at')
    .execute();
  const notes = Map.groupBy(all, ({ reference }) => reference);
  const rows = messages.map(fields => ({
    reference: fields.reference,
    text: buildSearchText(fields, notes.get(fields.reference) ?? []),
  }));
  const { rows: added } = await sql<{ reference: string }>`
    ${insertRows(db, 'search_texts', ['reference', 'text'], rows)}
    on conflict (reference) do nothing returning reference`.execute(db);
  if (!isSqlite(db)) return;
  const these = isAmong(
    db,
    added.map(({ reference }) => reference),
  );
  // In this order, or each row would become a part of the index of its own.
  await sql`insert into search_index (rowid, text)
    select id, text from search_texts where ${these} order by id`.execute(db);
}

/** To be called in the transaction that deletes the messages, after it has done so. */
export async function removeSearchTexts(
  db: Transaction<Tables>,
  references: readonly string[],
): Promise<void> {
  await lock(db);
  const these = isAmong(db, references);
  if (isSqlite(db)) {
    await sql`insert into search_index (search_index, rowid, text)
      select 'delete', id, text from search_texts where ${these} order by id`.execute(db);
  }
  await db.deleteFrom('search_texts').where(these).execute();
}

/** To be called in the transaction that changes messages or notes, after it has done so. */
export async function refreshSearchTexts(
  db: Transaction<Tables>,
  references: readonly string[],
): Promise<void> {
  await removeSearchTexts(db, references);
  await addTexts(db, references);
}

/** Of two transactions, the later one sees what the earlier one wrote: no text of an erased message stays behind. */
async function lock(db: Transaction<Tables>): Promise<void> {
  if (!isSqlite(db)) await sql`select pg_advisory_xact_lock(${searchTextsLock})`.execute(db);
}

export async function clearSearchTexts(db: Transaction<Tables>): Promise<void> {
  if (isSqlite(db)) await sql`insert into search_index (search_index) values ('delete-all')`.execute(db);
  await db.deleteFrom('search_texts').execute();
}

const pagesPerMerge = 256;

/** A deleted text stays in SQLite's index until its parts are merged, which takes many short transactions. */
export async function mergeSearchIndex(db: Kysely<Tables>): Promise<void> {
  // A negative number starts a merge of all parts.
  for (let pages = -pagesPerMerge; await merge(db, pages); pages = pagesPerMerge);
}

function merge(db: Kysely<Tables>, pages: number): Promise<boolean> {
  return db.transaction().execute(async transaction => {
    const before = await countChanges(transaction);
    await sql`insert into search_index (search_index, rank) values ('merge', ${pages})`.execute(transaction);
    // The command itself is one change.
    return (await countChanges(transaction)) - before > 1;
  });
}

async function countChanges(db: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(db);
  return rows[0]?.n ?? 0;
}
