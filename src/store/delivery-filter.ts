import type { Kysely } from 'kysely';
import type { DeliveryKind, DeliveryState, Tables } from './tables.ts';

export type DeliveryFilter = {
  states?: readonly DeliveryState[];
  reference?: string;
  receiver?: string;
  receivers?: readonly string[];
  kinds?: readonly DeliveryKind[];
  createdUpTo?: string;
  dueUpTo?: string;
};

/** Which deliveries are meant. */
export function filterDeliveries(db: Kysely<Tables>, filter: DeliveryFilter) {
  const { states, reference, receiver, receivers, kinds, createdUpTo, dueUpTo } = filter;
  return db
    .selectFrom('deliveries')
    .$if(states !== undefined, query => query.where('state', 'in', states as DeliveryState[]))
    .$if(reference !== undefined, query => query.where('reference', '=', reference as string))
    .$if(receiver !== undefined, query => query.where('receiver', '=', receiver as string))
    .$if(receivers !== undefined, query => query.where('receiver', 'in', orNobody(receivers as string[])))
    .$if(kinds !== undefined, query => query.where('kind', 'in', kinds as DeliveryKind[]))
    .$if(createdUpTo !== undefined, query => query.where('created_at', '<=', createdUpTo as string))
    .$if(dueUpTo !== undefined, query => query.where('due_at', '<=', dueUpTo as string));
}

/** PostgreSQL knows no empty list, and nobody has this name. */
export function orNobody(receivers: string[]): string[] {
  return receivers.length > 0 ? receivers : [''];
}
