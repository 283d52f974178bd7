import type { Kysely } from 'kysely';
import { countRows } from '../database/query-helpers.ts';
import type { AttemptRow, Tables } from '../database/tables.ts';
import { type Delivery, type DeliveryFilter, filterDeliveries } from './deliveries.ts';

export function createDeliveryQueries(db: Kysely<Tables>) {
  const filtered = (filter: DeliveryFilter) => filterDeliveries(db, filter);

  return {
    list: (filter: DeliveryFilter, limit: number): Promise<Delivery[]> =>
      filtered(filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('reference')
        .orderBy('receiver')
        .limit(limit)
        .execute(),

    count: (filter: DeliveryFilter, max?: number): Promise<number> => countRows(db, filtered(filter), max),

    async lastFailed(receiver: string): Promise<{ at: string; reason: string } | undefined> {
      const row = await filtered({ states: ['failed'], receiver })
        .select(['settled_at', 'last_failure'])
        .orderBy('settled_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && { at: row.settled_at as string, reason: row.last_failure };
    },

    async listReceivers(): Promise<string[]> {
      const rows = await db
        .selectFrom('deliveries')
        .select('receiver')
        .distinct()
        .where('state', 'in', ['waiting', 'sending'])
        .execute();
      return rows.map(({ receiver }) => receiver);
    },

    listAttempts: (reference: string): Promise<AttemptRow[]> =>
      db
        .selectFrom('attempts')
        .selectAll()
        .where('reference', '=', reference)
        .orderBy('receiver')
        .orderBy('number')
        .execute(),
  };
}
