import { findStartOfDay } from '../../../lib/format-time.ts';
import {
  type DeliveryFilter,
  deliveryStates,
  type Filters,
  selectMessages,
} from '../actions/read-messages.ts';

export const tabNames = ['new', 'answered', 'closed', 'quarantined', 'spam', 'all'] as const;
export type TabName = (typeof tabNames)[number];

/** What is listed, as it stands in the URL; '' where nothing is chosen. `before` is the last reference of the page before. */
export type ListFilter = Record<'search' | 'since' | 'service' | 'before', string> & {
  state: TabName;
  delivery: DeliveryFilter | '';
};

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
    delivery: Object.hasOwn(deliveryStates, delivery) ? (delivery as DeliveryFilter) : '',
    before: get('before').toUpperCase(),
  };
}

export const toSelection = (filter: ListFilter) => selectMessages(toFilters(filter));

export function toFilters({ state, search, since, service, delivery }: ListFilter): Filters {
  return {
    state: state === 'all' ? undefined : state,
    since: findStartOfDay(since),
    service: service || undefined,
    search: search || undefined,
    delivery: delivery || undefined,
  };
}

/** Always with the state, because pages differ in their default. */
export function toQuery(filter: ListFilter): string {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
}
