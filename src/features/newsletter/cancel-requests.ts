import type { PendingSelection } from './pending-requests.ts';
import type { NewsletterTransaction } from './subscribers.ts';

export const noRequest = { request_form: '', request_consent_text: '', requested_at: null };
const noConsent = {
  form: '',
  consent_text: '',
  consent_requested_at: null,
  confirmed_at: null,
  unsubscribed_at: null,
};
/** Only the id, the state and a suppression stay. */
export const noPersonalData = { ...noRequest, ...noConsent, mailed_at: null, address: null };

export async function cancelConfirmationMails(
  transaction: NewsletterTransaction,
  subscriber: string,
  now: string,
): Promise<void> {
  await transaction.deleteTokens(subscriber);
  await transaction.cancelWaitingConfirmations(subscriber, now);
}

/** Pending subscribers return to their earlier state: erased, unsubscribed or unknown. */
export async function cancelPendingRequests(
  transaction: NewsletterTransaction,
  which: PendingSelection,
): Promise<number> {
  const erased = await transaction.updatePending(which, 'erased', { ...noPersonalData, state: 'suppressed' });
  const unsubscribed = await transaction.updatePending(which, 'unsubscribed', {
    ...noRequest,
    mailed_at: null,
    state: 'unsubscribed',
  });
  return erased + unsubscribed + (await transaction.deletePending(which));
}
