import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import { messageStates, type Tables } from '../tables.ts';
import { rebuildTable } from './rebuild-table.ts';

/** What the owner does with a message: it is answered or closed, and gets notes. */
export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table messages add column answered_at text`.execute(db);
  await sql`alter table messages add column closed_at text`.execute(db);
  if (dialect === 'sqlite') {
    await rebuildTable(db, 'messages', definition =>
      definition.replace(`'spam')`, `'spam', 'answered', 'closed')`),
    );
  } else {
    const allowed = sql.join(messageStates.map(state => sql.lit(state)));
    await sql`alter table messages
      drop constraint messages_state_check,
      add constraint messages_state_check check (state in (${allowed}))`.execute(db);
  }
  await sql`create table notes (
    reference text not null,
    created_at text not null,
    text text not null,
    constraint notes_key primary key (reference, created_at))`.execute(db);
}
