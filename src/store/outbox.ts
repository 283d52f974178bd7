import { type Kysely, sql } from 'kysely';
import { type Attempts, createAttempts, recordSettled } from './attempts.ts';
import type { Batch } from './batch.ts';
import { type Claim, createClaim, type Delivery, whenDue } from './claim.ts';
import { type DeliveryFilter, filterDeliveries, orNobody } from './delivery-filter.ts';
import type { Dialect } from './open.ts';
import { type Pace, waitForRoom } from './paces.ts';
import { createPauses, noteAccepted, type Pauses } from './pauses.ts';
import type { DeliveryState, Tables } from './tables.ts';
import { createTurns, type Turns } from './turns.ts';

export type { Claim, Delivery };

/** What becomes of a claimed delivery. `attempts` is written as it then stands. */
export type Settlement =
  | { state: 'delivered'; attempts: number; isPossiblyTwice: boolean; now: string }
  | {
      state: 'waiting';
      attempts: number;
      dueAt: string;
      why: string;
      isAmbiguous: boolean;
      isPossiblyTwice: boolean;
      now: string;
    }
  | {
      state: 'dead' | 'unsure' | 'dropped';
      attempts: number;
      why: string;
      isAmbiguous: boolean;
      isPossiblyTwice: boolean;
      now: string;
    };

/** Deliveries on their way, whom they cannot reach for now, and what is done once for all processes. */
export type Outbox = Deliveries & Attempts & Pauses & Turns;

type Deliveries = {
  /**
   * Takes what is due, for as long as the lease lasts: nobody else gets it meanwhile. A lease that ran out is taken
   * over, and counts as an attempt; whether it arrived, nobody knows. A paused receiver gets nothing; a failing one gets
   * what was tried before, and one at a time what was not.
   */
  claim(claim: Claim): Promise<Delivery[]>;
  /** How long others have used up the pace of a receiver, in ms; 0 when one more may begin. */
  waitForRoom(receiver: string, pace: Pace): Promise<number>;
  /** False when the lease was lost and somebody else has it now: then nothing is changed. */
  settle(delivery: Delivery, settlement: Settlement): Promise<boolean>;
  /**
   * Makes what was never tried due now where it is due `tooLate`, and ends a lease soon that lasts until then: times that
   * a clock gave which has been put right. How many there were.
   */
  hasten(receiver: string, times: { now: string; leaseUntil: string; tooLate: string }): Promise<number>;
  /** When the next one is due, or its lease runs out. */
  nextDue(receiver: string): Promise<string | undefined>;
  list(filter: DeliveryFilter, limit: number): Promise<Delivery[]>;
  /** Counts no further than `most`. */
  count(filter: DeliveryFilter, most?: number): Promise<number>;
  /** Everyone for whom something waits. */
  listReceivers(): Promise<string[]>;
  /** The one that was given up last. */
  lastDead(receiver: string): Promise<{ at: string; why: string } | undefined>;
  /**
   * From the beginning, at once: dead ones, or those of one message that have not arrived. How many there were. Never
   * letters to readers: whether those may be sent again is another question.
   */
  replay(filter: DeliveryFilter, now: string): Promise<number>;
};

/** A letter that failed while its issue was stopped stops with it. */
function heldOrWaiting(issue: string) {
  return sql<DeliveryState>`case when exists (select 1 from issues where reference = ${issue} and held_at is not null)
    then 'held' else 'waiting' end`;
}

export function createOutbox(db: Kysely<Tables>, dialect: Dialect, batch: Batch): Outbox {
  const filtered = (filter: DeliveryFilter) => filterDeliveries(db, filter);

  return {
    ...createAttempts(db),
    ...createPauses(db),
    ...createTurns(db),
    claim: createClaim(db, dialect),
    waitForRoom: async (receiver, pace) => (dialect === 'postgres' ? waitForRoom(db, receiver, pace) : 0),

    async settle(delivery, settlement) {
      const { reference, receiver, lease, kind, issue } = delivery;
      const isForLater = settlement.state === 'waiting' && issue !== null;
      const settled = db
        .updateTable('deliveries')
        .set({
          state: isForLater ? heldOrWaiting(issue) : settlement.state,
          attempts: settlement.attempts,
          is_possibly_twice: Number(settlement.isPossiblyTwice),
          lease: null,
          lease_until: null,
          ...('why' in settlement && {
            last_failure: settlement.why,
            is_ambiguous: Number(settlement.isAmbiguous),
          }),
          ...('dueAt' in settlement ? { due_at: settlement.dueAt } : { settled_at: settlement.now }),
        })
        .where('reference', '=', reference)
        .where('receiver', '=', receiver)
        .where('lease', '=', lease)
        .compile();
      const isForOwner = kind === 'message' || kind === 'notice';
      // The attempt first: it is recorded only while the lease is ours, and settling ends that.
      const before = kind === 'message' ? [recordSettled(db, dialect, delivery, settlement)] : [];
      const after = isForOwner && settlement.state === 'delivered' ? [noteAccepted(db, receiver)] : [];
      const isAlone = before.length + after.length === 0;
      const results = isAlone
        ? [await db.executeQuery(settled)]
        : await batch([...before, settled, ...after]);
      return results[before.length]?.numAffectedRows === 1n;
    },

    async hasten(receiver, { now, leaseUntil, tooLate }) {
      const ofReceiver = db.updateTable('deliveries').where('receiver', '=', receiver);
      const results = await batch([
        ofReceiver
          .set({ due_at: now })
          .where('state', '=', 'waiting')
          .where('due_at', '>', tooLate)
          .where('attempts', '=', 0)
          .compile(),
        ofReceiver
          .set({ lease_until: leaseUntil })
          .where('state', '=', 'sending')
          .where('lease_until', '>', tooLate)
          .compile(),
      ]);
      return results.reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0);
    },

    async nextDue(receiver) {
      const earliest = (state: keyof typeof whenDue) =>
        db
          .selectFrom('deliveries')
          .select(({ fn }) => fn.min<string | null>(whenDue[state]).as('at'))
          .where('receiver', '=', receiver)
          .where('state', '=', state);
      const rows = await earliest('waiting').unionAll(earliest('sending')).execute();
      return rows
        .map(({ at }) => at)
        .filter(at => at !== null)
        .sort()[0];
    },

    list: (filter, limit) =>
      filtered(filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('reference')
        .orderBy('receiver')
        .limit(limit)
        .execute(),

    async count(filter, most) {
      const counted = filtered(filter)
        .select(sql.lit(1).as('one'))
        .$if(most !== undefined, query => query.limit(most as number));
      const row = await db
        .selectFrom(counted.as('counted'))
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async lastDead(receiver) {
      const row = await filtered({ states: ['dead'], receiver })
        .select(['settled_at', 'last_failure'])
        .orderBy('settled_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && { at: row.settled_at as string, why: row.last_failure };
    },

    async listReceivers() {
      const rows = await db
        .selectFrom('deliveries')
        .select('receiver')
        .distinct()
        .where('state', 'in', ['waiting', 'sending'])
        .execute();
      return rows.map(({ receiver }) => receiver);
    },

    async replay({ states = ['dead'], reference, receiver, receivers }, now) {
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set(({ eb }) => ({
          // Whoever is sending it at this moment may yet succeed.
          is_ambiguous: eb.case().when('state', '=', 'sending').then(1).else(eb.ref('is_ambiguous')).end(),
          state: 'waiting',
          attempts: 0,
          due_at: now,
          settled_at: null,
          lease: null,
          lease_until: null,
        }))
        .where('state', 'in', states)
        .where('kind', 'in', ['message', 'notice'])
        .$if(reference !== undefined, query => query.where('reference', '=', reference as string))
        .$if(receiver !== undefined, query => query.where('receiver', '=', receiver as string))
        .$if(receivers !== undefined, query => query.where('receiver', 'in', orNobody(receivers as string[])))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
  };
}
