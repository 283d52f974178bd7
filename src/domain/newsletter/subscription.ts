import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { hashToken } from '../../lib/ids.ts';
import type { PendingCounts, PendingFilter } from '../../store/pending.ts';
import type { Schedule } from '../../store/schedule.ts';
import type { SignUps } from '../../store/sign-ups.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { SubscriberState } from '../../store/tables.ts';
import { parseAddress } from './email-address.ts';
import type { Naming } from './pseudonym.ts';

export type ConfirmDeps = { subscribers: Pick<Subscribers, 'confirm'>; clock: Clock };

/** False when the token is unknown, used or expired; the caller cannot tell which. */
export async function confirmSubscriber(
  { subscribers, clock }: ConfirmDeps,
  token: string,
): Promise<boolean> {
  // 256 bits in base64url.
  if (!/^[\w-]{43}$/.test(token)) return false;
  return subscribers.confirm(hashToken(token), clock.now().toISOString());
}

export type LeaveDeps = {
  subscribers: Pick<Subscribers, 'leave'>;
  clock: Clock;
  newsletter: Pick<Naming, 'isLeaveKey'>;
};

/** True for every valid link, also when used twice. */
export async function leaveNewsletter(deps: LeaveDeps, link: { id: string; key: string }): Promise<boolean> {
  if (!deps.newsletter.isLeaveKey(link.id, link.key)) return false;
  await deps.subscribers.leave(link.id, deps.clock.now().toISOString());
  return true;
}

export type SuppressDeps = {
  subscribers: Pick<Subscribers, 'suppress' | 'get'>;
  clock: Clock;
  newsletter: Pick<Naming, 'nameSubscriber'>;
};

/** A bounce or complaint about an unknown address stores nothing; the owner may suppress any address. */
export async function suppressSubscriber(
  { subscribers, clock, newsletter }: SuppressDeps,
  address: string,
  why: 'bounce' | 'complaint' | 'owner',
): Promise<{ kind: 'impossible' | 'unknown' | 'already' | 'suppressed' }> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const id = newsletter.nameSubscriber(parsed.key);
  if (why !== 'owner' && !(await subscribers.get(id))) return { kind: 'unknown' };
  const isNew = await subscribers.suppress(id, why, clock.now().toISOString());
  return { kind: isNew ? 'suppressed' : 'already' };
}

type UnsuppressDeps = {
  subscribers: Pick<Subscribers, 'unsuppress'>;
  clock: Clock;
  newsletter: Pick<Naming, 'nameSubscriber'>;
};

type UnsuppressResult =
  | { kind: 'impossible' }
  | { kind: 'not suppressed' }
  | { kind: 'lifted'; state: SubscriberState | 'forgotten' };

/** Restores no more consent than there was. */
export async function unsuppressSubscriber(
  { subscribers, clock, newsletter }: UnsuppressDeps,
  address: string,
): Promise<UnsuppressResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const state = await subscribers.unsuppress(
    newsletter.nameSubscriber(parsed.key),
    clock.now().toISOString(),
  );
  return state ? { kind: 'lifted', state } : { kind: 'not suppressed' };
}

type EraseDeps = {
  subscribers: Pick<Subscribers, 'erase'>;
  clock: Clock;
  newsletter: Pick<Naming, 'nameSubscriber'>;
};

export type EraseResult = { kind: 'impossible' | 'unknown' | 'erased' };

/** A keyed hash stays, so that no import brings the address back. */
export async function eraseSubscriber(
  { subscribers, clock, newsletter }: EraseDeps,
  address: string,
): Promise<EraseResult> {
  const parsed = parseAddress(address);
  if (!parsed) return { kind: 'impossible' };
  const isKnown = await subscribers.erase(newsletter.nameSubscriber(parsed.key), clock.now().toISOString());
  return { kind: isKnown ? 'erased' : 'unknown' };
}

type DropDeps = { signUps: Pick<SignUps, 'dropPending'> };

/** A pause between two parts, for visitors' requests. */
const betweenMs = 20;

export async function dropPending({ signUps }: DropDeps, filter: PendingFilter): Promise<PendingCounts> {
  const total = { signUps: 0, subscribers: 0 };
  for (;;) {
    const dropped = await signUps.dropPending(filter);
    if (dropped.signUps + dropped.subscribers === 0) return total;
    total.signUps += dropped.signUps;
    total.subscribers += dropped.subscribers;
    await wait(betweenMs);
  }
}

type TidyDeps = {
  subscribers: Pick<Subscribers, 'purge' | 'listOldConfirmations'>;
  schedule: Pick<Schedule, 'takeTurn'>;
  /** Deletes the files of these letters. */
  copies: { forgetLetters(references: ReadonlySet<string>): Promise<void> };
  clock: Clock;
};

const hour = 60 * 60 * 1000;
const pendingMs = 7 * 24 * hour;
/** A mailbox gets no second confirmation for this long. */
const letterMs = 24 * hour;

/** Once an hour, whatever the number of processes. */
export async function tidySubscribers({ subscribers, schedule, copies, clock }: TidyDeps): Promise<number> {
  const time = clock.now().getTime();
  const at = (ago: number) => new Date(time - ago).toISOString();
  const isOurs = await schedule.takeTurn({ chore: 'newsletter-purge', now: at(0), notSince: at(hour) });
  if (!isOurs) return 0;
  const pendingBefore = at(pendingMs);
  // Files go before the rows that name them, so that an interrupted run is repeated.
  const letters = await subscribers.listOldConfirmations(pendingBefore);
  if (letters.length > 0) await copies.forgetLetters(new Set(letters));
  return subscribers.purge({ pendingBefore, lettersBefore: at(letterMs), now: at(0) });
}
