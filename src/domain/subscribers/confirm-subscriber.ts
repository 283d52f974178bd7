import type { Clock } from '../../lib/clock.ts';
import { hashToken } from '../../lib/ids.ts';
import type { Subscribers } from '../../store/subscribers.ts';

export type ConfirmDeps = { subscribers: Pick<Subscribers, 'confirm'>; clock: Clock };

/** Uses up the token of a confirmation letter. False when it is unknown, used or expired: nobody learns which. */
export async function confirmSubscriber(
  { subscribers, clock }: ConfirmDeps,
  token: string,
): Promise<boolean> {
  // 256 bits in base64url; what has another shape was never made here.
  if (!/^[\w-]{43}$/.test(token)) return false;
  return subscribers.confirm(hashToken(token), clock.now().toISOString());
}
