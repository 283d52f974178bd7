import type { Clock } from '../../core/clock.ts';
import type { SubscriberRow } from '../../core/database/tables.ts';
import { hashToken } from '../../core/ids.ts';
import { cancelConfirmationMails, noRequest } from './cancel-requests.ts';
import type { Subscribers } from './subscribers.ts';

export type ConfirmDeps = { subscribers: Pick<Subscribers, 'inTransaction'>; clock: Clock };

/** False when the token is unknown, used or expired; the caller cannot tell which. */
export async function confirmSubscriber(
  { subscribers, clock }: ConfirmDeps,
  token: string,
): Promise<boolean> {
  if (!/^[\w-]{43}$/.test(token)) return false;
  return confirmByTokenHash(subscribers, hashToken(token), clock.now().toISOString());
}

export function confirmByTokenHash(
  subscribers: ConfirmDeps['subscribers'],
  tokenHash: string,
  now: string,
): Promise<boolean> {
  return subscribers.inTransaction(async transaction => {
    // The subscriber is locked before its tokens, so that two tokens of one subscriber cannot deadlock.
    const row = await transaction.lockSubscriberByToken(tokenHash);
    const token = await transaction.takeToken(tokenHash);
    if (!row || !token || token.expires_at <= now) return false;
    const isPending = row.state === 'pending';
    await transaction.updateSubscriber(row.id, { ...(isPending && createConsent(row, now)), ...noRequest });
    await cancelConfirmationMails(transaction, row.id, now);
    return isPending;
  });
}

function createConsent(row: SubscriberRow, now: string) {
  return {
    state: 'confirmed',
    form: row.request_form,
    consent_text: row.request_consent_text,
    consent_requested_at: row.requested_at,
    confirmed_at: now,
    unsubscribed_at: null,
    suppressed_at: null,
    suppression_reason: '',
  } as const;
}
