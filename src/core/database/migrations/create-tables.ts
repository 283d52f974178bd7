import { sql, type Transaction } from 'kysely';
import { isSqlite } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';

type CreatedTable = Exclude<keyof Tables, 'migrations'>;

/** One migration a table. A later change of a table is a migration of its own. */
const statements: Record<CreatedTable, readonly string[]> = {
  messages: [
    `create table messages (
      reference text primary key,
      received_at text not null,
      state text not null check (state in ('new', 'empty', 'quarantined', 'spam', 'answered', 'closed')),
      name text not null,
      email text not null,
      message text not null,
      service text not null,
      idempotency_key text,
      quarantine_reason text not null default '',
      answered_at text,
      closed_at text,
      audit_report text,
      -- No default: a message that a process of another version stored without it would be found by no erasure.
      search_text text not null)`,
    'create unique index messages_idempotency_key on messages (idempotency_key)',
    // Pages of a list continue after a message, and messages may arrive in the same millisecond.
    'create index messages_received on messages (received_at, reference)',
    'create index messages_state on messages (state, received_at, reference)',
  ],
  notes: [
    `create table notes (
      reference text not null,
      created_at text not null,
      text text not null,
      constraint notes_key primary key (reference, created_at))`,
  ],
  deliveries: [
    `create table deliveries (
      reference text not null,
      receiver text not null,
      kind text not null check (kind in ('message', 'notice', 'confirmation', 'issue')),
      subscriber text,
      issue text,
      mailbox text,
      network text,
      payload text,
      state text not null default 'waiting' check (state in
        ('waiting', 'sending', 'delivered', 'failed', 'held', 'unconfirmed', 'cancelled')),
      created_at text not null,
      due_at text not null,
      attempts integer not null default 0,
      lease text,
      lease_until text,
      is_ambiguous integer not null default 0,
      is_possible_duplicate integer not null default 0,
      last_failure text not null default '',
      settled_at text,
      constraint deliveries_key primary key (reference, receiver))`,
    'create index deliveries_due on deliveries (receiver, state, due_at)',
    'create index deliveries_newest on deliveries (created_at desc, reference)',
    // Partial indexes, so that storing a visitor's message costs nothing more.
    "create index deliveries_notices on deliveries (reference) where kind = 'notice'",
    "create index deliveries_confirmations on deliveries (created_at) where kind = 'confirmation'",
    'create index deliveries_issue on deliveries (issue, state) where issue is not null',
    'create index deliveries_subscriber on deliveries (subscriber) where subscriber is not null',
    'create index deliveries_mailbox on deliveries (mailbox) where mailbox is not null',
  ],
  attempts: [
    `create table attempts (
      reference text not null,
      receiver text not null,
      number integer not null,
      ended_at text not null,
      state text not null,
      reason text not null default '',
      constraint attempts_key primary key (reference, receiver, number))`,
  ],
  receivers: [
    `create table receivers (
      name text primary key,
      paused_at text,
      pause_reason text not null default '')`,
  ],
  subscribers: [
    `create table subscribers (
      id text primary key,
      address text,
      state text not null check (state in ('pending', 'confirmed', 'unsubscribed', 'suppressed')),
      request_form text not null default '',
      request_consent_text text not null default '',
      requested_at text,
      form text not null default '',
      consent_text text not null default '',
      consent_requested_at text,
      mailed_at text,
      confirmed_at text,
      unsubscribed_at text,
      suppressed_at text,
      suppression_reason text not null default ''
        check (suppression_reason in ('', 'bounce', 'complaint', 'owner', 'erased')),
      constraint subscribers_address check (address is not null or state in ('unsubscribed', 'suppressed')))`,
    'create index subscribers_state on subscribers (state, id)',
  ],
  sign_ups: [
    `create table sign_ups (
      id text primary key,
      subscriber text not null,
      address text not null,
      form text not null,
      consent_text text not null,
      requested_at text not null,
      network text not null)`,
    'create index sign_ups_requested_at on sign_ups (requested_at, id)',
    'create index sign_ups_turns on sign_ups (network, requested_at, id)',
  ],
  tokens: [
    `create table tokens (
      hash text primary key,
      subscriber text not null,
      expires_at text not null)`,
    'create index tokens_subscriber on tokens (subscriber)',
  ],
  consent_texts: [
    `create table consent_texts (
      id text primary key,
      text text not null,
      first_used_at text not null)`,
  ],
  newsletter_issues: [
    `create table newsletter_issues (
      reference text primary key,
      name text not null unique,
      hash text not null,
      subject text not null,
      html text not null,
      text text not null,
      queued_at text not null,
      held_at text)`,
  ],
  audit: [
    `create table audit (
      hash text not null,
      action text not null,
      done_at text not null,
      counts text not null,
      constraint audit_key primary key (hash, action, done_at))`,
  ],
  audit_reports: [
    `create table audit_reports (
      id text primary key,
      domain text not null,
      measured_at text not null,
      report text not null)`,
    'create index audit_reports_domain on audit_reports (domain, measured_at)',
  ],
  audit_links: [
    `create table audit_links (
      hash text primary key,
      report text not null,
      created_at text not null,
      expires_at text not null)`,
    'create index audit_links_report on audit_links (report)',
    'create index audit_links_expires_at on audit_links (expires_at)',
  ],
  secrets: [
    `create table secrets (
      name text primary key,
      value text not null,
      created_at text not null)`,
  ],
  scheduled_runs: ['create table scheduled_runs (name text primary key, done_at text not null)'],
  rate_counts: [
    `create table rate_counts (
      client text primary key,
      count integer not null,
      resets_at text not null)`,
  ],
  throttles: ['create table throttles (receiver text primary key, used_until text not null)'],
  readiness: ['create table readiness (id integer primary key, checks integer not null)'],
};

/** Worth nothing after a crash, so PostgreSQL need not write them to its log. */
const unloggedTables: readonly string[] = ['rate_counts', 'throttles'];

export const createdTables = Object.keys(statements) as CreatedTable[];
export const tableNames: readonly string[] = [...createdTables, 'migrations'];

export async function createTable(db: Transaction<Tables>, table: CreatedTable): Promise<void> {
  for (const statement of statements[table]) await sql.raw(statement).execute(db);
  if (!isSqlite(db) && unloggedTables.includes(table))
    await sql`alter table ${sql.table(table)} set unlogged`.execute(db);
}
