import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';
import { rebuildTable } from './rebuild-table.ts';

const tables = { wordings: 'consent_texts', chores: 'scheduled_runs', issues: 'newsletter_issues' };

type ColumnNames = Record<string, Record<string, string>>;

const columns: ColumnNames = {
  subscribers: {
    request_wording: 'request_consent_text',
    wording: 'consent_text',
    asked_at: 'consent_requested_at',
    left_at: 'unsubscribed_at',
    suppressed_why: 'suppression_reason',
  },
  sign_ups: { wording: 'consent_text', asked_at: 'requested_at' },
};

export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  for (const [from, to] of Object.entries(tables)) {
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
  }
  await renameColumns(db, columns);
  await sql`drop index sign_ups_asked_at`.execute(db);
  await sql`create index sign_ups_requested_at on sign_ups (requested_at, id)`.execute(db);
  await renameDeliveryState(db, dialect, { from: 'unsure', to: 'unconfirmed', states });
  await createThrottles(db, dialect);
}

const states = ['waiting', 'sending', 'delivered', 'dead', 'held', 'unconfirmed', 'dropped'];

export async function renameColumns(db: Transaction<Tables>, columns: ColumnNames): Promise<void> {
  for (const [table, names] of Object.entries(columns)) {
    for (const [from, to] of Object.entries(names)) {
      await sql`alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(db);
    }
  }
}

type Rename = { from: string; to: string; states: readonly string[] };

export async function renameDeliveryState(
  db: Transaction<Tables>,
  dialect: Dialect,
  { from, to, states }: Rename,
): Promise<void> {
  await sql`update attempts set state = ${to} where state = ${from}`.execute(db);
  if (dialect === 'sqlite') {
    const renamed = sql`case state when ${from} then ${to} else state end`;
    return rebuildTable(db, 'deliveries', definition => definition.replace(`'${from}'`, `'${to}'`), renamed);
  }
  const allowed = sql.join(states.map(state => sql.lit(state)));
  await sql`alter table deliveries drop constraint deliveries_state_check`.execute(db);
  await sql`update deliveries set state = ${to} where state = ${from}`.execute(db);
  await sql`alter table deliveries
    add constraint deliveries_state_check check (state in (${allowed}))`.execute(db);
}

/** Throttles were rows of the rate limit's table. They are worth nothing after a crash. */
async function createThrottles(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  const kind = dialect === 'postgres' ? sql`create unlogged table` : sql`create table`;
  await sql`${kind} throttles (receiver text primary key, used_until text not null)`.execute(db);
  await sql`delete from rate_counts where client like 'pace of %'`.execute(db);
}
