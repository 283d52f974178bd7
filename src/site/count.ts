import type { CountedKind } from '../api/contract.ts';
import type { CountEvent } from './counting.ts';

/** Leaves it to the boot script whether that is told to anybody. */
export function count(kind: CountedKind): void {
  const name: CountEvent = 'count';
  if (import.meta.env.COUNTS_VIEWS) dispatchEvent(new CustomEvent(name, { detail: kind }));
}
