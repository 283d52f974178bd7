import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>): Promise<void> {
  await sql`create table messages (
    reference text primary key,
    received_at text not null,
    state text not null check (state in ('new', 'empty', 'quarantined', 'spam')),
    name text not null,
    email text not null,
    message text not null,
    service text not null)`.execute(db);
  await sql`create index messages_received_at on messages (received_at)`.execute(db);
  await sql`create table readiness (id integer primary key, checks integer not null)`.execute(db);
}
