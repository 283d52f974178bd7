import { admitSignUps } from '../../src/domain/subscribers/admit-sign-ups.ts';
import { askToSubscribe } from '../../src/domain/subscribers/ask-to-subscribe.ts';
import { confirmSubscriber } from '../../src/domain/subscribers/confirm-subscriber.ts';
import { eraseSubscriber } from '../../src/domain/subscribers/erase-subscriber.ts';
import { leaveNewsletter } from '../../src/domain/subscribers/leave-newsletter.ts';
import { suppressSubscriber } from '../../src/domain/subscribers/suppress-subscriber.ts';
import { hashToken } from '../../src/lib/ids.ts';
import type { Wired } from '../../src/server/wire.ts';

/** What the verbs of the newsletter take. */
export function verbDeps(site: Pick<Wired, 'store' | 'newsletter' | 'clock' | 'ids'>, ceiling = 1000) {
  const { subscribers, outbox } = site.store;
  const { naming } = site.newsletter;
  const { clock, ids } = site;
  return { subscribers, outbox, clock, ids, newsletter: naming, ceiling, nudge: (): void => undefined };
}

export type VerbDeps = ReturnType<typeof verbDeps>;

/** The token of a letter as the outbox would make it, for somebody who is pending. */
export async function makeToken({ subscribers, clock, ids }: VerbDeps, subscriber: string): Promise<string> {
  const token = ids.token();
  const expires_at = new Date(clock.now().getTime() + 7 * 24 * 3_600_000).toISOString();
  await subscribers.addToken({ hash: hashToken(token), subscriber, expires_at });
  return token;
}

const known = ['pending', 'confirmed', 'unsubscribed', 'bounce', 'complaint', 'owner', 'erased'] as const;
export type Known = (typeof known)[number];
export const standings: readonly (Known | 'new')[] = ['new', ...known];

/** Brings an address to where it stands by the ways there are. Its id. */
export async function bring(deps: VerbDeps, address: string, standing: Known | 'new'): Promise<string> {
  const id = deps.newsletter.nameSubscriber(address);
  if (standing === 'new') return id;
  await askToSubscribe(deps, { email: address, form: 'home', wording: '' });
  await admitSignUps(deps);
  if (standing === 'pending') return id;
  await confirmSubscriber(deps, await makeToken(deps, id));
  if (standing === 'confirmed') return id;
  if (standing === 'unsubscribed') {
    await leaveNewsletter(deps, { id, key: deps.newsletter.leaveKey(id) });
  } else if (standing === 'erased') await eraseSubscriber(deps, address);
  else await suppressSubscriber(deps, address, standing);
  return id;
}
