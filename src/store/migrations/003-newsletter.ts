import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';
import { rebuildTable } from './rebuild-table.ts';

export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await createSubscribers(db);
  await sql`create table sign_ups (
    id text primary key,
    subscriber text not null,
    address text not null,
    form text not null,
    wording text not null,
    asked_at text not null)`.execute(db);
  await sql`create index sign_ups_asked_at on sign_ups (asked_at, id)`.execute(db);
  await sql`create table issues (
    reference text primary key,
    name text not null unique,
    digest text not null,
    subject text not null,
    html text not null,
    text text not null,
    queued_at text not null,
    held_at text)`.execute(db);
  await widenDeliveries(db, dialect);
  // Partial indexes: only subscriber mail is in them, so storing a visitor's message costs nothing more.
  await sql`create index deliveries_issue on deliveries (issue, state)
    where issue is not null`.execute(db);
  await sql`create index deliveries_subscriber on deliveries (subscriber)
    where subscriber is not null`.execute(db);
  await sql`create index deliveries_confirmations on deliveries (created_at)
    where kind = 'confirmation'`.execute(db);
}

async function createSubscribers(db: Transaction<Tables>): Promise<void> {
  await sql`create table subscribers (
    id text primary key,
    address text,
    state text not null check (state in ('pending', 'confirmed', 'unsubscribed', 'suppressed')),
    request_form text not null default '',
    request_wording text not null default '',
    requested_at text,
    form text not null default '',
    wording text not null default '',
    asked_at text,
    mailed_at text,
    confirmed_at text,
    left_at text,
    suppressed_at text,
    suppressed_why text not null default ''
      check (suppressed_why in ('', 'bounce', 'complaint', 'owner', 'erased')),
    constraint subscribers_address
      check (address is not null or state in ('unsubscribed', 'suppressed')))`.execute(db);
  await sql`create index subscribers_state on subscribers (state, id)`.execute(db);
  await sql`create table tokens (
    hash text primary key,
    subscriber text not null,
    expires_at text not null)`.execute(db);
  await sql`create index tokens_subscriber on tokens (subscriber)`.execute(db);
  await sql`create table wordings (
    id text primary key,
    text text not null,
    first_used_at text not null)`.execute(db);
}

async function widenDeliveries(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await sql`alter table deliveries add column subscriber text`.execute(db);
  await sql`alter table deliveries add column issue text`.execute(db);
  if (dialect === 'sqlite') {
    return rebuildTable(db, 'deliveries', definition =>
      definition
        .replace(`'notice')`, `'notice', 'confirmation', 'issue')`)
        .replace(`'dead')`, `'dead', 'held', 'unsure', 'dropped')`),
    );
  }
  await sql`alter table deliveries
    drop constraint deliveries_kind_check,
    add constraint deliveries_kind_check
      check (kind in ('message', 'notice', 'confirmation', 'issue')),
    drop constraint deliveries_state_check,
    add constraint deliveries_state_check
      check (state in ('waiting', 'sending', 'delivered', 'dead', 'held', 'unsure', 'dropped'))`.execute(db);
}
