import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await createSubscribers(db);
  await createSignUps(db);
  await createIssues(db);
  await (dialect === 'postgres' ? widenDeliveries(db) : rebuildDeliveries(db));
  // Partial indexes: only subscriber mail is in them, so storing a visitor's message costs nothing more.
  await sql`create index deliveries_issue on deliveries (issue, state) where issue is not null`.execute(db);
  await sql`create index deliveries_subscriber on deliveries (subscriber) where subscriber is not null`.execute(
    db,
  );
  await sql`create index deliveries_confirmations on deliveries (created_at) where kind = 'confirmation'`.execute(
    db,
  );
}

async function createSubscribers(db: Transaction<Tables>): Promise<void> {
  await db.schema
    .createTable('subscribers')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('address', 'text')
    .addColumn('state', 'text', column =>
      column.notNull().check(sql`state in ('pending', 'confirmed', 'unsubscribed', 'suppressed')`),
    )
    .addColumn('request_form', 'text', column => column.notNull().defaultTo(''))
    .addColumn('request_wording', 'text', column => column.notNull().defaultTo(''))
    .addColumn('requested_at', 'text')
    .addColumn('form', 'text', column => column.notNull().defaultTo(''))
    .addColumn('wording', 'text', column => column.notNull().defaultTo(''))
    .addColumn('asked_at', 'text')
    .addColumn('mailed_at', 'text')
    .addColumn('confirmed_at', 'text')
    .addColumn('left_at', 'text')
    .addColumn('suppressed_at', 'text')
    .addColumn('suppressed_why', 'text', column =>
      column
        .notNull()
        .defaultTo('')
        .check(sql`suppressed_why in ('', 'bounce', 'complaint', 'owner', 'erased')`),
    )
    // Mail needs an address.
    .addCheckConstraint(
      'subscribers_address',
      sql`address is not null or state in ('unsubscribed', 'suppressed')`,
    )
    .execute();
  await db.schema.createIndex('subscribers_state').on('subscribers').columns(['state', 'id']).execute();
  await db.schema
    .createTable('tokens')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('subscriber', 'text', column => column.notNull())
    .addColumn('expires_at', 'text', column => column.notNull())
    .execute();
  await db.schema.createIndex('tokens_subscriber').on('tokens').column('subscriber').execute();
  await db.schema
    .createTable('wordings')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('first_used_at', 'text', column => column.notNull())
    .execute();
}

async function createSignUps(db: Transaction<Tables>): Promise<void> {
  await db.schema
    .createTable('sign_ups')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('subscriber', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('form', 'text', column => column.notNull())
    .addColumn('wording', 'text', column => column.notNull())
    .addColumn('asked_at', 'text', column => column.notNull())
    .execute();
  await db.schema.createIndex('sign_ups_asked_at').on('sign_ups').columns(['asked_at', 'id']).execute();
}

async function createIssues(db: Transaction<Tables>): Promise<void> {
  await db.schema
    .createTable('issues')
    .addColumn('reference', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull().unique())
    .addColumn('digest', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('html', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('queued_at', 'text', column => column.notNull())
    .addColumn('held_at', 'text')
    .execute();
}

const kinds = sql`kind in ('message', 'notice', 'confirmation', 'issue')`;
const states = sql`state in ('waiting', 'sending', 'delivered', 'dead', 'held', 'unsure', 'dropped')`;

async function widenDeliveries(db: Transaction<Tables>): Promise<void> {
  await sql`alter table deliveries
    add column subscriber text,
    add column issue text,
    drop constraint deliveries_kind_check,
    add constraint deliveries_kind_check check (${kinds}),
    drop constraint deliveries_state_check,
    add constraint deliveries_state_check check (${states})`.execute(db);
}

/** SQLite changes no check of a table that is there: its rows move into one that is made anew. */
async function rebuildDeliveries(db: Transaction<Tables>): Promise<void> {
  await sql`create table deliveries_wider (
    reference text not null,
    receiver text not null,
    kind text not null check (${kinds}),
    subscriber text,
    issue text,
    payload text,
    state text default 'waiting' not null check (${states}),
    created_at text not null,
    due_at text not null,
    attempts integer default 0 not null,
    lease text,
    lease_until text,
    is_ambiguous integer default 0 not null,
    is_possibly_twice integer default 0 not null,
    last_failure text default '' not null,
    settled_at text,
    constraint deliveries_key primary key (reference, receiver))`.execute(db);
  const kept =
    sql.raw(`reference, receiver, kind, payload, state, created_at, due_at, attempts, lease, lease_until,
    is_ambiguous, is_possibly_twice, last_failure, settled_at`);
  await sql`insert into deliveries_wider (${kept}) select ${kept} from deliveries order by rowid`.execute(db);
  await sql`drop table deliveries`.execute(db);
  await sql`alter table deliveries_wider rename to deliveries`.execute(db);
  await sql`create index deliveries_due on deliveries (receiver, state, due_at)`.execute(db);
}
