import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import { isAmong, isSqlite } from './query-helpers.ts';
import { buildSearchText, fillSearchTexts } from './search-texts.ts';
import {
  type MessageCursor,
  type MessageFilter,
  type MessageOrder,
  readPages,
  selectPage,
} from './select-messages.ts';
import type { MessageRow, Tables } from './tables.ts';

/** More than these are left to the worker, so that no search waits for it. */
const maxFilled = 250;
const maxFound = 20_000;
const [firstRange, lastRange] = [250, 4000];

/** Messages with every word, each folded by `foldText`, anywhere in their fields and notes. No word: all messages. */
export async function* eachMatching(
  db: Kysely<Tables>,
  words: readonly string[],
  filter: MessageFilter,
  order: MessageOrder,
  after?: MessageCursor,
): AsyncGenerator<MessageRow[]> {
  if (words.length === 0) return yield* readPages(db, filter, order, after);
  const isFilled = await fillSearchTexts(db, { max: maxFilled });
  const references = isFilled ? await findAll(db, words) : undefined;
  if (references) yield* readPages(db, { ...filter, references }, order, after);
  else yield* readRanges(db, words, filter, { order, after, isFilled });
}

/** Undefined where there are so many that a page of them is found sooner in a range of messages. */
async function findAll(db: Kysely<Tables>, words: readonly string[]): Promise<string[] | undefined> {
  const trigrams = isSqlite(db) ? listTrigrams(words) : [];
  // PostgreSQL takes its index by itself.
  const candidates =
    trigrams.length > 0
      ? sql`search_index cross join search_texts on id = search_index.rowid
          where search_index match ${trigrams.join(' ')} and`
      : sql`search_texts where`;
  const query = sql<{ reference: string }>`select reference from ${candidates}
    ${containsAll(db, words)} limit ${sql.lit(maxFound + 1)}`;
  const { rows } = isSqlite(db) ? await query.execute(db) : await executeInParallel(db, query);
  return rows.length > maxFound ? undefined : rows.map(({ reference }) => reference);
}

/** A word of two letters is in no trigram. PostgreSQL expects to find it early, and would read all texts in one process. */
function executeInParallel<Row>(db: Kysely<Tables>, query: RawBuilder<Row>): Promise<QueryResult<Row>> {
  return db.transaction().execute(async transaction => {
    await sql`select set_config(name, '0', true)
      from unnest(array['parallel_setup_cost', 'parallel_tuple_cost']) as name`.execute(transaction);
    return query.execute(transaction);
  });
}

const maxTrigrams = 64;

/** None of a word of one or two letters. */
function listTrigrams(words: readonly string[]): string[] {
  const parts = words.flatMap(word => {
    const letters = [...word];
    return letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
  });
  return [...new Set(parts)].slice(0, maxTrigrams).map(part => `"${part.replaceAll('"', '""')}"`);
}

function containsAll(db: Kysely<Tables>, words: readonly string[]): RawBuilder<boolean> {
  const contains = (word: string) =>
    isSqlite(db)
      ? sql`instr(search_texts.text, ${word}) > 0`
      : sql`text like ${`%${word.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`}`;
  return sql`(${sql.join(words.map(contains), sql` and `)})`;
}

type Walk = { order: MessageOrder; after: MessageCursor | undefined; isFilled: boolean };

/** In ranges, so that each query ends before its timeout however rare a match is. */
async function* readRanges(
  db: Kysely<Tables>,
  words: readonly string[],
  filter: MessageFilter,
  { order, after, isFilled }: Walk,
): AsyncGenerator<MessageRow[]> {
  for (let limit = firstRange; ; limit = Math.min(limit * 2, lastRange)) {
    const range = selectPage(db, filter, { order, limit, after });
    // Before the others: the worker may add their texts meanwhile.
    const found = isFilled ? [] : await findWithoutText(db, range, words);
    found.push(...(await findByText(db, range, words)));
    if (found.length > 0) yield* readPages(db, { references: found }, order);
    const [last] = await range
      .select(['received_at', 'reference'])
      .limit(1)
      .offset(limit - 1)
      .execute();
    if (!last) return;
    after = last;
  }
}

type Range = ReturnType<typeof selectPage>;

async function findByText(db: Kysely<Tables>, range: Range, words: readonly string[]): Promise<string[]> {
  const references = range.select('reference');
  // As an array, because PostgreSQL would join the whole table.
  const isInRange = isSqlite(db) ? sql`in (${references})` : sql`= any (array(${references}))`;
  const { rows } = await sql<{ reference: string }>`select reference from search_texts
    where reference ${isInRange} and ${containsAll(db, words)}`.execute(db);
  return rows.map(({ reference }) => reference);
}

async function findWithoutText(
  db: Kysely<Tables>,
  range: Range,
  words: readonly string[],
): Promise<string[]> {
  const messages = await db
    .selectFrom(range.selectAll().as('messages'))
    .selectAll()
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('search_texts')
            .select('text')
            .whereRef('search_texts.reference', '=', 'messages.reference'),
        ),
      ),
    )
    .execute();
  const references = messages.map(({ reference }) => reference);
  const notes = Map.groupBy(
    await db.selectFrom('notes').selectAll().where(isAmong(db, references)).execute(),
    ({ reference }) => reference,
  );
  return messages
    .filter(row => {
      const text = buildSearchText(row, notes.get(row.reference) ?? []);
      return words.every(word => text.includes(word));
    })
    .map(({ reference }) => reference);
}
