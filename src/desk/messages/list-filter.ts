import { type listMessages, messageReceivers } from '../../domain/messages/read-inbox.ts';
import { findStartOfDay } from '../format-time.ts';
import type { DeliveryChoice, ListFilter, TabName } from './props.ts';

type Selection = Pick<Parameters<typeof listMessages>[1], 'filter' | 'query'>;

const tabNames: readonly TabName[] = ['new', 'answered', 'closed', 'quarantined', 'spam', 'all'];
const deliveryStates = { failed: ['failed'], waiting: ['waiting', 'sending'] } as const;
const maxSearchLength = 200;

/** Unknown values are left out: a link may be old. */
export function parseListFilter(query: URLSearchParams, defaultState: TabName): ListFilter {
  const get = (name: string) => query.get(name)?.trim() ?? '';
  const [state, delivery, since] = [get('state'), get('delivery'), get('since')];
  return {
    state: tabNames.find(name => name === state) ?? defaultState,
    search: get('search').slice(0, maxSearchLength).toWellFormed().replaceAll('\0', ''),
    since: findStartOfDay(since) ? since : '',
    service: get('service').toWellFormed().replaceAll('\0', ''),
    delivery: Object.hasOwn(deliveryStates, delivery) ? (delivery as DeliveryChoice) : '',
    before: get('before').toUpperCase(),
  };
}

export function toSelection({ state, search, since, service, delivery }: ListFilter): Selection {
  const start = findStartOfDay(since);
  return {
    filter: {
      ...(state !== 'all' && { state }),
      ...(start && { since: start }),
      ...(service && { service }),
      ...(delivery && { delivery: { states: deliveryStates[delivery], receivers: messageReceivers } }),
    },
    ...(search && { query: search }),
  };
}

/** Always with the state, because pages differ in their default. */
export function toQuery(filter: ListFilter): string {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
}
