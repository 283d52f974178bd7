import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { inBatches, isAmong, isSqlite } from '../database/query-helpers.ts';
import type { Tables } from '../database/tables.ts';
import type { Delivery } from './deliveries.ts';

/** A delivery in progress. */
export type Lease = Pick<Delivery, 'reference' | 'receiver' | 'lease_until'>;

/** Of these messages, to this subscriber, and of notices: a digest may name the person. */
export type LeaseFilter = { references: readonly string[]; subscriber?: string | undefined };

export type Leases = { listLeases(filter: LeaseFilter, now: string): Promise<Lease[]> };

const databaseTime = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function createLeases(db: Kysely<Tables>): Leases {
  return {
    async listLeases({ references, subscriber }, now) {
      // Leases are given by the database's clock where it has one.
      const time = isSqlite(db) ? sql<string>`${now}` : databaseTime;
      const leased = () =>
        db
          .selectFrom('deliveries')
          .select(['reference', 'receiver', 'lease_until'])
          .where('state', '=', 'sending')
          .where('lease_until', '>', time);
      const ofMessages = await inBatches(references, part => leased().where(isAmong(db, part)).execute());
      const ofSubscriber =
        subscriber === undefined ? [] : await leased().where('subscriber', '=', subscriber).execute();
      const ofNotices = await leased()
        .where('kind', '=', sql.lit('notice' as const))
        .execute();
      return [...ofMessages, ...ofSubscriber, ...ofNotices];
    },
  };
}

const [pollMs, timeoutMs] = [100, 15_000];

/** Returns the leases that did not end in time. */
export async function waitForDeliveries(
  { outbox, clock }: { outbox: Leases; clock: { now(): Date } },
  filter: LeaseFilter,
): Promise<Lease[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const leases = await outbox.listLeases(filter, clock.now().toISOString());
    if (leases.length === 0 || performance.now() > deadline) return leases;
    await wait(pollMs);
  }
}
