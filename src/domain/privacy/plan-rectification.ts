import type { MessageRow } from '../../store/tables.ts';
import { parseAddress } from '../newsletter/email-address.ts';
import type { AddressMatcher } from './address-matcher.ts';
import { type Correction, isOnList } from './rectify-person.ts';
import { type PersonalData, type SearchDeps, searchPersonalData } from './search-personal-data.ts';

type Plan =
  | { kind: 'nothing' }
  /** The new address could not get the newsletter. */
  | { kind: 'undeliverable' }
  | {
      kind: 'ready';
      found: Pick<PersonalData, 'messages' | 'mentions' | 'newsletter' | 'subscriber' | 'deliveries'>;
      rows: MessageRow[];
      isSubscriber: boolean;
    };

/** `reference`: this message alone, and not the newsletter. */
export async function planRectification(
  deps: SearchDeps,
  matcher: AddressMatcher,
  { change, reference: only }: { change: Correction; reference: string | undefined },
): Promise<Plan> {
  const whole = await searchPersonalData(deps, matcher);
  const messages = whole.messages.filter(({ reference }) => only === undefined || reference === only);
  const newsletter = only === undefined ? whole.newsletter : undefined;
  const isSubscriber = change.email !== undefined && isOnList(newsletter);
  if (messages.length === 0 && !isSubscriber) return { kind: 'nothing' };
  if (isSubscriber && !parseAddress(change.email ?? '')) return { kind: 'undeliverable' };
  const references = new Set(messages.map(({ reference }) => reference));
  const deliveries = whole.deliveries.filter(({ reference }) => references.has(reference));
  return {
    kind: 'ready',
    found: { messages, newsletter, subscriber: whole.subscriber, deliveries, mentions: [] },
    rows: await deps.privacy.listMessages([...references]),
    isSubscriber,
  };
}
