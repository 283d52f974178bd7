import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table messages add column idempotency_key text`.execute(db);
  await sql`alter table messages add column quarantine_reason text not null default ''`.execute(db);
  await sql`create unique index messages_idempotency_key on messages (idempotency_key)`.execute(db);
  // A partial index: few messages are quarantined.
  await sql`create index messages_quarantined on messages (received_at)
    where state = 'quarantined'`.execute(db);

  await sql`create table deliveries (
    reference text not null,
    receiver text not null,
    kind text not null check (kind in ('message', 'notice')),
    payload text,
    state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'dead')),
    created_at text not null,
    due_at text not null,
    attempts integer not null default 0,
    lease text,
    lease_until text,
    is_ambiguous integer not null default 0,
    is_possibly_twice integer not null default 0,
    last_failure text not null default '',
    settled_at text,
    constraint deliveries_key primary key (reference, receiver))`.execute(db);
  await sql`create index deliveries_due on deliveries (receiver, state, due_at)`.execute(db);

  await sql`create table receivers (
    name text primary key,
    paused_at text,
    paused_why text not null default '')`.execute(db);
  await sql`create table secrets (
    name text primary key,
    value text not null,
    created_at text not null)`.execute(db);
  await sql`create table chores (name text primary key, done_at text not null)`.execute(db);
  // Counts are worth nothing after a crash, so PostgreSQL need not write them to its log.
  const kind = dialect === 'postgres' ? sql`create unlogged table` : sql`create table`;
  await sql`${kind} rate_counts (
    client text primary key,
    count integer not null,
    resets_at text not null)`.execute(db);
}
