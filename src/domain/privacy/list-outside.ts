import type { Delivery } from '../../store/outbox.ts';

/** Somebody outside this machine who has, or may have, a copy of these messages. */
export type Outside = { receiver: string; place: string | undefined; references: string[] };

/** `places` names those that are outside now, `inside` those whose copies are files here. */
export function listOutside(
  deliveries: readonly Delivery[],
  { places, inside }: { places: ReadonlyMap<string, string>; inside: ReadonlySet<string> },
): Outside[] {
  const found = new Map<string, Set<string>>();
  for (const { kind, receiver, reference, state, is_ambiguous } of deliveries) {
    const mayHave = state === 'delivered' || state === 'sending' || state === 'unsure' || is_ambiguous === 1;
    if (kind !== 'message' || !mayHave || inside.has(receiver)) continue;
    found.set(receiver, (found.get(receiver) ?? new Set()).add(reference));
  }
  return [...found].map(([receiver, references]) => ({
    receiver,
    place: places.get(receiver),
    references: [...references].sort(),
  }));
}
