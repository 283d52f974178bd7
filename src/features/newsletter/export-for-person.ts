import type { ConsentTexts } from './consent-texts.ts';
import type { NewsletterRecord } from './subscribers.ts';

type ExportDeps = { consentTexts: Pick<ConsentTexts, 'get'> };

/** For the person, with the words that they agreed to. */
export async function exportForPerson(
  { consentTexts }: ExportDeps,
  { subscriber, signUps, mails, tokens }: NewsletterRecord,
) {
  const readConsentText = async (id: string) => (id ? ((await consentTexts.get(id))?.text ?? null) : null);
  return {
    ...(subscriber && {
      address: subscriber.address,
      state: subscriber.state,
      addressHash: subscriber.id,
      ...(subscriber.suppression_reason && {
        suppressionReason: subscriber.suppression_reason,
        suppressedAt: subscriber.suppressed_at,
      }),
      agreed: {
        asked: subscriber.consent_requested_at,
        form: subscriber.form,
        consentText: await readConsentText(subscriber.consent_text),
        confirmed: subscriber.confirmed_at,
        unsubscribed: subscriber.unsubscribed_at,
      },
      ...(subscriber.requested_at && {
        lastRequest: {
          asked: subscriber.requested_at,
          form: subscriber.request_form,
          consentText: await readConsentText(subscriber.request_consent_text),
        },
      }),
      confirmationSentAt: subscriber.mailed_at,
    }),
    pendingSignUps: await Promise.all(
      signUps.map(async ({ address, form, consent_text: id, requested_at, network }) => ({
        address,
        asked: requested_at,
        form,
        consentText: await readConsentText(id),
        networkHash: network,
      })),
    ),
    openConfirmationLinks: tokens,
    mails: mails.map(({ kind, name, created_at, state, settled_at, mailbox, network }) => ({
      mail: kind === 'confirmation' ? 'asks to confirm' : `issue ${name ?? ''}`.trim(),
      begun: created_at,
      state,
      ...(settled_at && { ended: settled_at }),
      ...(mailbox && { mailboxHash: mailbox }),
      ...(network && { networkHash: network }),
    })),
  };
}
