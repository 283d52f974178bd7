import type { Clock } from '../../core/clock.ts';
import type { StorageCleanup } from '../../core/database/storage-cleanup.ts';
import type { MessageRow } from '../../core/database/tables.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import type { Correction } from '../messages/message-fields.ts';
import { type ImportDeps, importSubscribers } from '../newsletter/import-subscribers.ts';
import type { Subscribers } from '../newsletter/subscribers.ts';
import { unsubscribeSubscriberById } from '../newsletter/unsubscribe.ts';
import type { AddressMatcher } from './address-matcher.ts';
import type { AuditHasher } from './audit-hasher.ts';
import { waitForDeliveries } from './erase-person.ts';
import type { LocalCopies } from './local-copies.ts';
import type { Privacy } from './privacy.ts';
import { type PersonalData, type SearchDeps, searchPersonalData } from './search-personal-data.ts';

export type RectifyDeps = ImportDeps & {
  privacy: Privacy;
  subscribers: Pick<Subscribers, 'inTransaction'>;
  copies: Pick<LocalCopies, 'rectify'>;
  auditHasher: AuditHasher;
  clock: Clock;
};

export type Rectified = {
  messages: number;
  rows: number;
  mails: number;
  newsletter:
    | 'unsubscribed; the new address is asked to confirm'
    | 'unsubscribed; the new address is already known'
    | undefined;
  cleanup: StorageCleanup;
};

/** A subscriber's address is not changed: the old one is unsubscribed, and the new one has to confirm. */
export async function rectifyPerson(
  deps: RectifyDeps,
  matcher: AddressMatcher,
  { messages, newsletter, subscriber }: Pick<PersonalData, 'messages' | 'newsletter' | 'subscriber'>,
  change: Correction,
): Promise<Rectified> {
  const { privacy, clock } = deps;
  const references = messages.map(({ reference }) => reference);
  await privacy.rectifyMessages(references, change);
  await waitForDeliveries(deps, references);
  const corrected: MessageRow[] = await privacy.listMessages(references);
  const copies = await deps.copies.rectify(corrected, change);
  const email = getOtherAddress(matcher, change);
  const moved =
    email !== undefined && subscriber !== undefined && isOnList(newsletter)
      ? await moveSubscription(deps, subscriber, email)
      : undefined;
  const counts = { messages: corrected.length, ...copies, newsletter: Number(moved !== undefined) };
  await privacy.recordAudit([
    {
      hash: deps.auditHasher.hashAddress(matcher.address),
      action: 'rectify',
      done_at: clock.now().toISOString(),
      counts: JSON.stringify(counts),
    },
  ]);
  return {
    messages: corrected.length,
    ...copies,
    newsletter: moved,
    cleanup: await privacy.cleanUpStorage(),
  };
}

/** Another spelling of the same address keeps the subscription. */
function getOtherAddress(matcher: AddressMatcher, { email }: Correction): string | undefined {
  return email !== undefined && !matcher.belongsToPerson(email) ? email : undefined;
}

function isOnList(newsletter: PersonalData['newsletter']): boolean {
  const state = newsletter?.subscriber?.state;
  return state === 'confirmed' || state === 'pending' || (newsletter?.signUps.length ?? 0) > 0;
}

async function moveSubscription(
  deps: RectifyDeps,
  subscriber: string,
  email: string,
): Promise<Rectified['newsletter']> {
  const parsed = parseDeliverableAddress(email);
  const { added } = await importSubscribers(deps, parsed ? [parsed] : [], { isDryRun: false });
  await unsubscribeSubscriberById(deps.subscribers, subscriber, deps.clock.now().toISOString());
  return added > 0
    ? 'unsubscribed; the new address is asked to confirm'
    : 'unsubscribed; the new address is already known';
}

type Plan =
  | { kind: 'nothing' }
  | { kind: 'undeliverable' }
  | {
      kind: 'ready';
      found: Pick<PersonalData, 'messages' | 'mentions' | 'newsletter' | 'subscriber' | 'deliveries'>;
      rows: MessageRow[];
      isSubscriber: boolean;
    };

export async function planRectification(
  deps: SearchDeps,
  matcher: AddressMatcher,
  { change, reference: only }: { change: Correction; reference: string | undefined },
): Promise<Plan> {
  const whole = await searchPersonalData(deps, matcher);
  const messages = whole.messages.filter(({ reference }) => only === undefined || reference === only);
  const newsletter = only === undefined ? whole.newsletter : undefined;
  const isSubscriber = getOtherAddress(matcher, change) !== undefined && isOnList(newsletter);
  if (messages.length === 0 && !isSubscriber) return { kind: 'nothing' };
  if (isSubscriber && !parseDeliverableAddress(change.email ?? '')) return { kind: 'undeliverable' };
  const references = new Set(messages.map(({ reference }) => reference));
  const deliveries = whole.deliveries.filter(({ reference }) => references.has(reference));
  return {
    kind: 'ready',
    found: { messages, newsletter, subscriber: whole.subscriber, deliveries, mentions: [] },
    rows: await deps.privacy.listMessages([...references]),
    isSubscriber,
  };
}
