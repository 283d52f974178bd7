import type { Clock } from '../../core/clock.ts';
import type { MessageRow } from '../../core/database/tables.ts';
import type { HmacSigner } from '../../core/hmac.ts';
import { createMailboxPseudonym, mailboxWindowMs } from '../../core/mailbox-pseudonym.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { acknowledgements } from './receivers/acknowledgement-mail.ts';

type AcknowledgeDeps = {
  outbox: Pick<Outbox, 'claimMailbox'>;
  permanentHmac: HmacSigner;
  mayMailTo(address: string): Promise<boolean>;
  clock: Clock;
};

/** Undefined if it must not be sent: anyone can enter any address, so a mailbox gets one in 24 hours. */
export async function claimAcknowledgement(
  { outbox, permanentHmac, mayMailTo, clock }: AcknowledgeDeps,
  { reference, state, email, received_at }: MessageRow,
): Promise<string | undefined> {
  const parsed = parseDeliverableAddress(email);
  const since = new Date(clock.now().getTime() - mailboxWindowMs).toISOString();
  if (!parsed || state !== 'new' || received_at < since) return undefined;
  if (!(await mayMailTo(parsed.lowerCaseAddress))) return undefined;
  const mailbox = createMailboxPseudonym(permanentHmac, parsed.address);
  const isFirst = await outbox.claimMailbox({
    reference,
    receiver: acknowledgements.name,
    mailbox,
    since,
  });
  return isFirst ? parsed.address : undefined;
}
