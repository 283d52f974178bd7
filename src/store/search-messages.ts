import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { MessageCursor } from './messages.ts';
import { isSqlite } from './query-helpers.ts';
import type { MessageRow, Tables } from './tables.ts';

const scanRangeSize = 1000;

/** Searches every field and the notes; reads all messages if no part is given. */
export async function* eachMessageContaining(
  db: Kysely<Tables>,
  part: string | undefined,
): AsyncGenerator<MessageRow[]> {
  const contains = part === undefined ? sql<boolean>`1 = 1` : containsText(db, part);
  for (let after: MessageCursor | undefined = { received_at: '', reference: '' }; after; ) {
    // In ranges, so that each query ends before its timeout however rare a match is.
    const upTo: MessageCursor | undefined = await findRangeEnd(db, after);
    const { received_at, reference } = after;
    const page = await db
      .selectFrom('messages')
      .selectAll()
      .where(sql<boolean>`(received_at, reference) > (${received_at}, ${reference})`)
      // Times alone as well: PostgreSQL cannot estimate pairs, and would scan the whole table.
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
}

function findRangeEnd(
  db: Kysely<Tables>,
  { received_at, reference }: MessageCursor,
): Promise<MessageCursor | undefined> {
  return db
    .selectFrom('messages')
    .select(['received_at', 'reference'])
    .where(sql<boolean>`(received_at, reference) > (${received_at}, ${reference})`)
    .orderBy('received_at')
    .orderBy('reference')
    .offset(scanRangeSize - 1)
    .limit(1)
    .executeTakeFirst();
}

function containsText(db: Kysely<Tables>, part: string): RawBuilder<boolean> {
  const pattern = `%${part.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`;
  // SQLite's `like` ignores the case of ASCII, which is all that is searched for.
  const like = sql.raw(isSqlite(db) ? 'like' : 'ilike');
  const columns = ['email', 'message', 'name', 'service'].map(
    name => sql`${sql.ref(name)} ${like} ${pattern} escape '\\'`,
  );
  const inNotes = sql`exists (select 1 from notes where notes.reference = messages.reference
    and notes.text ${like} ${pattern} escape '\\')`;
  return sql<boolean>`(${sql.join([...columns, inNotes], sql` or `)})`;
}
