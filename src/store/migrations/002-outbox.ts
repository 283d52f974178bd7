import { sql, type Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('messages').addColumn('idempotency_key', 'text').execute();
  await db.schema
    .alterTable('messages')
    .addColumn('quarantine_reason', 'text', column => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .createIndex('messages_idempotency_key')
    .on('messages')
    .column('idempotency_key')
    .unique()
    .execute();
  // Few messages are put aside, so the many others pay nothing for finding them.
  await sql`create index messages_quarantined on messages (received_at) where state = 'quarantined'`.execute(
    db,
  );

  await db.schema
    .createTable('deliveries')
    .addColumn('reference', 'text', column => column.notNull())
    .addColumn('receiver', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull().check(sql`kind in ('message', 'notice')`))
    .addColumn('payload', 'text')
    .addColumn('state', 'text', column =>
      column.notNull().defaultTo('waiting').check(sql`state in ('waiting', 'sending', 'delivered', 'dead')`),
    )
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('due_at', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'text')
    .addColumn('is_ambiguous', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('is_possibly_twice', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('last_failure', 'text', column => column.notNull().defaultTo(''))
    .addColumn('settled_at', 'text')
    .addPrimaryKeyConstraint('deliveries_key', ['reference', 'receiver'])
    .execute();
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['receiver', 'state', 'due_at'])
    .execute();

  await db.schema
    .createTable('receivers')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('paused_at', 'text')
    .addColumn('paused_why', 'text', column => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute();
  await db.schema
    .createTable('chores')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('done_at', 'text', column => column.notNull())
    .execute();

  // Counts are worth nothing after a crash, so PostgreSQL need not write them to its log.
  const kind = dialect === 'postgres' ? sql`create unlogged table` : sql`create table`;
  await sql`${kind} rate_counts (client text primary key, count integer not null, resets_at text not null)`.execute(
    db,
  );
}
