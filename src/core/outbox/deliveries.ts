import type { Kysely, RawBuilder, Selectable } from 'kysely';
import type { DeliveryKindName, DeliveryState, DeliveryTable, Tables } from '../database/tables.ts';

export type Delivery = Selectable<DeliveryTable>;

export type Settlement = { attempts: number; isPossibleDuplicate: boolean; now: string } & (
  | { state: 'delivered' }
  | { state: 'waiting'; dueAt: string; reason: string; isAmbiguous: boolean }
  | { state: 'failed' | 'unconfirmed' | 'cancelled'; reason: string; isAmbiguous: boolean }
);

/** Decided by the database as it settles, such as whether others of its group are held. */
export type RescheduledState = RawBuilder<DeliveryState>;

export type DeliveryFilter = {
  states?: readonly DeliveryState[];
  reference?: string;
  receiver?: string;
  receivers?: readonly string[];
  kinds?: readonly DeliveryKindName[];
};

export function filterDeliveries(db: Kysely<Tables>, filter: DeliveryFilter) {
  const { states, reference, receiver, receivers, kinds } = filter;
  return db
    .selectFrom('deliveries')
    .$if(states !== undefined, query => query.where('state', 'in', states as DeliveryState[]))
    .$if(reference !== undefined, query => query.where('reference', '=', reference as string))
    .$if(receiver !== undefined, query => query.where('receiver', '=', receiver as string))
    .$if(receivers !== undefined, query => query.where('receiver', 'in', nonEmpty(receivers as string[])))
    .$if(kinds !== undefined, query => query.where('kind', 'in', kinds as DeliveryKindName[]));
}

/** PostgreSQL has no empty list; no receiver is named ''. */
function nonEmpty(receivers: string[]): string[] {
  return receivers.length > 0 ? receivers : [''];
}
