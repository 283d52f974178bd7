import type { Transaction } from 'kysely';
import type { Dialect } from '../query-helpers.ts';
import { deliveryStates, type Tables } from '../tables.ts';
import { renameColumns, renameDeliveryState } from './014-usual-names.ts';

export async function up(db: Transaction<Tables>, dialect: Dialect): Promise<void> {
  await renameColumns(db, {
    attempts: { why: 'reason' },
    deliveries: { is_possibly_twice: 'is_possible_duplicate' },
    newsletter_issues: { digest: 'hash' },
    receivers: { paused_why: 'pause_reason', failing_why: 'failure_reason' },
  });
  await renameDeliveryState(db, dialect, { from: 'dropped', to: 'cancelled', states: deliveryStates });
}
