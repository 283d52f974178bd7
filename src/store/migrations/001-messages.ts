import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

export async function up(db: Transaction<Tables>): Promise<void> {
  await db.schema
    .createTable('messages')
    .addColumn('reference', 'text', column => column.primaryKey())
    .addColumn('received_at', 'text', column => column.notNull())
    .addColumn('state', 'text', column =>
      column.notNull().check(sql`state in ('new', 'empty', 'quarantined', 'spam')`),
    )
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('email', 'text', column => column.notNull())
    .addColumn('message', 'text', column => column.notNull())
    .addColumn('service', 'text', column => column.notNull())
    .execute();
  await db.schema.createIndex('messages_received_at').on('messages').column('received_at').execute();
  await db.schema
    .createTable('readiness')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('checks', 'integer', column => column.notNull())
    .execute();
}
