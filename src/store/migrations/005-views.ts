import type { Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** Sums by day without personal data: equal page views share a row. */
export async function up(db: Transaction<Tables>): Promise<void> {
  await db.schema
    .createTable('views')
    .addColumn('day', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('referrer', 'text', column => column.notNull())
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('medium', 'text', column => column.notNull())
    .addColumn('campaign', 'text', column => column.notNull())
    .addColumn('count', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('views_key', ['day', 'kind', 'path', 'referrer', 'source', 'medium', 'campaign'])
    .execute();
}
