import type { Clock } from '../../core/clock.ts';
import type { MessageRow } from '../../core/database/tables.ts';
import { limits } from '../../core/http/rate-limits.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import type { NewsletterKeys } from '../newsletter/newsletter-keys.ts';
import type { Subscribers } from '../newsletter/subscribers.ts';
import { receiverTypes } from './receivers/receiver-types.ts';

type AcknowledgeDeps = {
  outbox: Pick<Outbox, 'claimMailbox'>;
  subscribers: Pick<Subscribers, 'get'>;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym' | 'mailboxPseudonym'>;
  clock: Clock;
};

/** Undefined if it must not be sent: anyone can enter any address, so a mailbox gets one in 24 hours. */
export async function claimAcknowledgement(
  { outbox, subscribers, newsletterKeys, clock }: AcknowledgeDeps,
  { reference, state, email, received_at }: MessageRow,
): Promise<string | undefined> {
  const parsed = parseDeliverableAddress(email);
  const since = new Date(clock.now().getTime() - limits.mailbox.windowMs).toISOString();
  if (!parsed || state !== 'new' || received_at < since) return undefined;
  const subscriber = await subscribers.get(newsletterKeys.subscriberPseudonym(parsed.lowerCaseAddress));
  if (subscriber?.state === 'suppressed') return undefined;
  const mailbox = newsletterKeys.mailboxPseudonym(parsed.address);
  const isFirst = await outbox.claimMailbox({
    reference,
    receiver: receiverTypes.acknowledgements.name,
    mailbox,
    since,
  });
  return isFirst ? parsed.address : undefined;
}
