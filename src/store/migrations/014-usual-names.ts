import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';

const tables = { wordings: 'consent_texts', chores: 'scheduled_runs', issues: 'newsletter_issues' };

const columns: Record<string, Record<string, string>> = {
  subscribers: {
    request_wording: 'request_consent_text',
    wording: 'consent_text',
    asked_at: 'consent_requested_at',
    left_at: 'unsubscribed_at',
    suppressed_why: 'suppression_reason',
  },
  sign_ups: { wording: 'consent_text', asked_at: 'requested_at' },
};

/** Gives tables, columns and one state the names that the field uses. No row changes but those of the state. */
export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  for (const [from, to] of Object.entries(tables)) {
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
  }
  for (const [table, names] of Object.entries(columns)) {
    for (const [from, to] of Object.entries(names)) {
      await sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
    }
  }
  await sql`drop index sign_ups_asked_at`.execute(db);
  await sql`create index sign_ups_requested_at on sign_ups (requested_at, id)`.execute(db);
  await renameDeliveryState(db, dialect, { from: 'unsure', to: 'unconfirmed', states });
  await createThrottles(db, dialect);
}

const states = ['waiting', 'sending', 'delivered', 'dead', 'held', 'unconfirmed', 'dropped'];

type Rename = { from: string; to: string; states: readonly string[] };

export async function renameDeliveryState(
  db: Transaction<Tables>,
  dialect: Dialect,
  rename: Rename,
): Promise<void> {
  await (dialect === 'postgres' ? renameInPostgres(db, rename) : renameInSqlite(db, rename));
  await sql`update attempts set state = ${rename.to} where state = ${rename.from}`.execute(db);
}

function checkState(states: readonly string[]) {
  return sql`check (state in (${sql.join(states.map(state => sql.lit(state)))}))`;
}

async function renameInPostgres(db: Transaction<Tables>, { from, to, states }: Rename): Promise<void> {
  await sql`alter table deliveries drop constraint deliveries_state_check`.execute(db);
  await sql`update deliveries set state = ${to} where state = ${from}`.execute(db);
  await sql`alter table deliveries add constraint deliveries_state_check ${checkState(states)}`.execute(db);
}

/** SQLite cannot change a check constraint: the rows move into a new table, and the indexes are made again. */
async function renameInSqlite(db: Transaction<Tables>, { from, to, states }: Rename): Promise<void> {
  await sql`create table deliveries_renamed (
    reference text not null,
    receiver text not null,
    kind text not null check (kind in ('message', 'notice', 'confirmation', 'issue')),
    subscriber text,
    issue text,
    payload text,
    state text default 'waiting' not null ${checkState(states)},
    created_at text not null,
    due_at text not null,
    attempts integer default 0 not null,
    lease text,
    lease_until text,
    is_ambiguous integer default 0 not null,
    is_possibly_twice integer default 0 not null,
    last_failure text default '' not null,
    settled_at text,
    mailbox text,
    network text,
    constraint deliveries_key primary key (reference, receiver))`.execute(db);
  const before = sql.raw(`reference, receiver, kind, subscriber, issue, payload`);
  const after = sql.raw(`created_at, due_at, attempts, lease, lease_until,
    is_ambiguous, is_possibly_twice, last_failure, settled_at, mailbox, network`);
  await sql`insert into deliveries_renamed (${before}, state, ${after})
    select ${before}, case state when ${from} then ${to} else state end, ${after}
    from deliveries order by rowid`.execute(db);
  const { rows: indexes } = await sql<{ sql: string }>`select sql from sqlite_schema
    where type = 'index' and tbl_name = 'deliveries' and sql is not null`.execute(db);
  await sql`drop table deliveries`.execute(db);
  await sql`alter table deliveries_renamed rename to deliveries`.execute(db);
  for (const index of indexes) await sql.raw(index.sql).execute(db);
}

/** Throttles were rows of the rate limit's table. They are worth nothing after a crash. */
async function createThrottles(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  const kind = dialect === 'postgres' ? sql`create unlogged table` : sql`create table`;
  await sql`${kind} throttles (receiver text primary key, used_until text not null)`.execute(db);
  await sql`delete from rate_counts where client like 'pace of %'`.execute(db);
}
