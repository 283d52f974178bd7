import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>): Promise<void> {
  // Pages of a list continue after a message, and messages may arrive in the same millisecond.
  await sql`drop index messages_received_at`.execute(db);
  await sql`drop index messages_quarantined`.execute(db);
  await sql`create index messages_received on messages (received_at, reference)`.execute(db);
  await sql`create index messages_state on messages (state, received_at, reference)`.execute(db);
  await sql`create index deliveries_newest on deliveries (created_at desc, reference)`.execute(db);
  // A partial index: notices are few, and are read when a person's data is searched.
  await sql`create index deliveries_notices on deliveries (reference) where kind = 'notice'`.execute(db);
  await sql`create table attempts (
    reference text not null,
    receiver text not null,
    number integer not null,
    ended_at text not null,
    state text not null,
    why text not null default '',
    constraint attempts_key primary key (reference, receiver, number))`.execute(db);
  await sql`create table audit (
    hash text not null,
    action text not null,
    done_at text not null,
    counts text not null,
    constraint audit_key primary key (hash, action, done_at))`.execute(db);
}
