import type { Kysely } from 'kysely';
import type { Batch } from '../database/query-helpers.ts';
import type { Tables } from '../database/tables.ts';
import { keepsAttempts, recordSettled } from './attempts.ts';
import type { Delivery, RescheduledState, Settlement } from './deliveries.ts';

export function createSettle(db: Kysely<Tables>, batch: Batch) {
  /** False, and nothing is changed, when the lease was lost. */
  return async (
    delivery: Delivery,
    settlement: Settlement,
    rescheduledState?: RescheduledState,
  ): Promise<boolean> => {
    const { reference, receiver, lease } = delivery;
    const { state } = settlement;
    const settled = db
      .updateTable('deliveries')
      .set({
        state: state === 'waiting' ? (rescheduledState ?? state) : state,
        attempts: settlement.attempts,
        is_possible_duplicate: Number(settlement.isPossibleDuplicate),
        lease: null,
        lease_until: null,
        ...('reason' in settlement && {
          last_failure: settlement.reason,
          is_ambiguous: Number(settlement.isAmbiguous),
        }),
        ...('dueAt' in settlement ? { due_at: settlement.dueAt } : { settled_at: settlement.now }),
      })
      .where('reference', '=', reference)
      .where('receiver', '=', receiver)
      .where('lease', '=', lease)
      .compile();
    const [result] = keepsAttempts(delivery)
      ? (await batch([recordSettled(db, delivery, settlement), settled])).slice(1)
      : [await db.executeQuery(settled)];
    return result?.numAffectedRows === 1n;
  };
}
