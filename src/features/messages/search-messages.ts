import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isSqlite } from '../../core/database/query-helpers.ts';
import type { MessageRow, Tables } from '../../core/database/tables.ts';
import {
  type MessageCursor,
  type MessageFilter,
  type MessageOrder,
  messageColumns,
  readPages,
  selectPage,
} from './select-messages.ts';

const maxFound = 250;

/** Messages with every word, each folded by `foldText`, anywhere in their fields and notes. No word: all messages. */
export async function* eachMatching(
  db: Kysely<Tables>,
  words: readonly string[],
  filter: MessageFilter,
  order: MessageOrder,
  after?: MessageCursor,
): AsyncGenerator<MessageRow[]> {
  if (words.length === 0) return yield* readPages(db, filter, order, after);
  const { state, since, upTo } = filter;
  // On SQLite short, because other queries of this process wait, and so does the checkpoint that ends an erasure.
  const rangeLength = isSqlite(db) ? 500 : 4000;
  const indexed = { ...(state && { state }), ...(since && { since }), ...(upTo && { upTo }) };
  for (;;) {
    const [last] = await selectPage(db, indexed, { order, limit: 1, after })
      .select(['received_at', 'reference'])
      .offset(rangeLength - 1)
      .execute();
    const found: MessageRow[] = await selectPage(db, filter, { order, limit: maxFound, after, upTo: last })
      .select(messageColumns)
      .where(containsAll(db, words))
      .execute();
    if (found.length > 0) yield found;
    after = found.length === maxFound ? found.at(-1) : last;
    if (!after) return;
  }
}

function containsAll(db: Kysely<Tables>, words: readonly string[]): RawBuilder<boolean> {
  const position = sql.raw(isSqlite(db) ? 'instr' : 'strpos');
  return sql.join(
    words.map(word => sql`${position}(search_text, ${word}) > 0`),
    sql` and `,
  );
}
