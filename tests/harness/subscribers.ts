import type { SubscriberRow } from '../../src/core/database/tables.ts';
import { hashToken } from '../../src/core/ids.ts';
import { getRegistrableDomain } from '../../src/core/network/parse-domain.ts';
import { confirmSubscriber } from '../../src/features/newsletter/confirm-subscriber.ts';
import { eraseSubscriberRows } from '../../src/features/newsletter/erase-subscriber-rows.ts';
import { processSignUps } from '../../src/features/newsletter/process-sign-ups.ts';
import { requestSubscription } from '../../src/features/newsletter/request-subscription.ts';
import { suppressSubscriber } from '../../src/features/newsletter/suppress-subscriber.ts';
import { unsubscribe } from '../../src/features/newsletter/unsubscribe.ts';
import type { TestDatabase } from './databases.ts';
import type { WiredSite } from './site.ts';

/** The dependencies of the newsletter's domain functions. */
export function verbDeps(
  site: Pick<WiredSite, 'store' | 'newsletter' | 'notifyOwner' | 'clock' | 'ids'>,
  maxPerHour = 1000,
) {
  const { signUps, subscribers, consentTexts, outbox, schedule } = site.store;
  const { keys: newsletterKeys, resolveConsentText } = site.newsletter;
  const { notifyOwner, clock, ids } = site;
  return {
    ...{ signUps, subscribers, consentTexts, outbox, schedule, clock, ids },
    ...{ notifyOwner, newsletterKeys, resolveConsentText, maxPerHour, getRegistrableDomain },
    wake: (): void => undefined,
  };
}

export type VerbDeps = ReturnType<typeof verbDeps>;

/** A confirmation token as the outbox creates it, for a pending subscriber. */
export async function makeToken({ subscribers, clock, ids }: VerbDeps, subscriber: string): Promise<string> {
  const token = ids.token();
  const expires_at = new Date(clock.now().getTime() + 7 * 24 * 3_600_000).toISOString();
  await subscribers.addToken({ hash: hashToken(token), subscriber, expires_at });
  return token;
}

const known = ['pending', 'confirmed', 'unsubscribed', 'bounce', 'complaint', 'owner', 'erased'] as const;
type KnownState = (typeof known)[number];
export const subscriberStates: readonly (KnownState | 'new')[] = ['new', ...known];

/** Brings an address into a state through the domain functions. Returns its id. */
export async function bringToState(
  deps: VerbDeps,
  address: string,
  standing: KnownState | 'new',
): Promise<string> {
  const id = deps.newsletterKeys.subscriberPseudonym(address);
  if (standing === 'new') return id;
  await requestSubscription(deps, { email: address, form: 'home', consentTextId: '' });
  await processSignUps(deps);
  if (standing === 'pending') return id;
  await confirmSubscriber(deps, await makeToken(deps, id));
  if (standing === 'confirmed') return id;
  if (standing === 'unsubscribed') {
    await unsubscribe(deps, { id, key: deps.newsletterKeys.unsubscribeKey(id) });
  } else if (standing === 'erased') await eraseSubscriberRows(deps, address);
  else await suppressSubscriber(deps, address, standing);
  return id;
}

type NewSubscriber = Pick<SubscriberRow, 'id' | 'address' | 'state'> & Partial<SubscriberRow>;

const usual = {
  ...{ form: 'home', consent_text: 'w1', suppression_reason: '' },
  ...{ consent_requested_at: null, confirmed_at: null, unsubscribed_at: null, suppressed_at: null },
};

/** Inserts rows directly, for tests that do not depend on how the state was reached. */
export async function addSubscribers(
  { query }: Pick<TestDatabase, 'query'>,
  rows: NewSubscriber[],
): Promise<void> {
  const columns = ['id', 'address', 'state', ...Object.keys(usual)];
  const values = rows.map(({ id, address, state, ...more }) => {
    const row = { id, address, state, ...usual, ...more };
    return `(${Object.values(row).map(quote).join(', ')})`;
  });
  await query(`insert into subscribers (${columns.join(', ')}) values ${values.join(', ')}`);
}

function quote(value: string | null): string {
  return value === null ? 'null' : `'${value.replaceAll("'", "''")}'`;
}
