import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>): Promise<void> {
  // Pages of a list continue after a message, and messages may arrive in the same millisecond.
  await db.schema.dropIndex('messages_received_at').execute();
  await db.schema.dropIndex('messages_quarantined').execute();
  await db.schema
    .createIndex('messages_received')
    .on('messages')
    .columns(['received_at', 'reference'])
    .execute();
  await db.schema
    .createIndex('messages_state')
    .on('messages')
    .columns(['state', 'received_at', 'reference'])
    .execute();
  await db.schema
    .createIndex('deliveries_newest')
    .on('deliveries')
    .columns(['created_at desc', 'reference'])
    .execute();
  // A partial index: notices are few, and are read when a person's data is searched.
  await sql`create index deliveries_notices on deliveries (reference) where kind = 'notice'`.execute(db);

  await db.schema
    .createTable('attempts')
    .addColumn('reference', 'text', column => column.notNull())
    .addColumn('receiver', 'text', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('ended_at', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('why', 'text', column => column.notNull().defaultTo(''))
    .addPrimaryKeyConstraint('attempts_key', ['reference', 'receiver', 'number'])
    .execute();

  await db.schema
    .createTable('audit')
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('done_at', 'text', column => column.notNull())
    .addColumn('counts', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('audit_key', ['hash', 'action', 'done_at'])
    .execute();
}
