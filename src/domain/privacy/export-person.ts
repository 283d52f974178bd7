import type { Delivery } from '../../store/outbox.ts';
import type { NewsletterRecord, Privacy } from '../../store/privacy.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { AttemptRow, MessageRow } from '../../store/tables.ts';
import type { Findings } from './find-person.ts';

export type ExportDeps = {
  privacy: Pick<Privacy, 'listMessages' | 'listDeliveries' | 'listAttemptsOf'>;
  subscribers: Pick<Subscribers, 'getWording'>;
};

/** Who answers for the data, and for how long it is kept, in words. */
export type Controller = {
  name?: string;
  email?: string;
  address?: string;
};
export type KeptFor = { messages: string; messagesPutAside: string; newsletter: string };

/** A person reads it: names are words, and what is not there is not named. */
export async function exportPerson(
  deps: ExportDeps,
  found: Pick<Findings, 'messages' | 'newsletter'>,
  about: { address: string; madeAt: string; from: Controller; keptFor: KeptFor },
) {
  const references = found.messages.map(({ reference }) => reference);
  const [messages, deliveries, attempts] = [
    await deps.privacy.listMessages(references),
    Map.groupBy(await deps.privacy.listDeliveries(references), ({ reference }) => reference),
    Map.groupBy(await deps.privacy.listAttemptsOf(references), ({ reference }) => reference),
  ];
  return {
    about: `Everything that is kept about ${about.address}, the copies named in it included.`,
    ...about,
    messages: messages.map(row =>
      describeMessage(row, deliveries.get(row.reference) ?? [], attempts.get(row.reference) ?? []),
    ),
    newsletter: found.newsletter ? await describeReader(deps, found.newsletter) : null,
  };
}

export type PersonExport = Awaited<ReturnType<typeof exportPerson>>;

const copies: Record<string, string> = {
  sheet: 'our spreadsheet of messages',
  mail: 'a mail to the people who answer',
  webhook: 'our own chat or another system of ours',
};

function describeMessage(row: MessageRow, deliveries: Delivery[], attempts: AttemptRow[]) {
  return {
    reference: row.reference,
    received: row.received_at,
    state: row.state,
    ...(row.quarantine_reason && { putAsideBecause: row.quarantine_reason }),
    name: row.name,
    email: row.email,
    service: row.service,
    message: row.message,
    ...(row.idempotency_key !== null && { keyItWasSentWith: row.idempotency_key }),
    copies: deliveries.map(({ receiver, state, created_at, settled_at }) => ({
      to: copies[receiver] ?? receiver,
      state,
      begun: created_at,
      ...(settled_at && { ended: settled_at }),
      attempts: attempts
        .filter(attempt => attempt.receiver === receiver)
        .map(({ ended_at, state: result, why }) => ({ ended: ended_at, result, ...(why && { why }) })),
    })),
  };
}

async function describeReader(
  { subscribers }: ExportDeps,
  { subscriber, signUps, letters, tokens }: NewsletterRecord,
) {
  const wording = async (id: string) => (id ? ((await subscribers.getWording(id))?.text ?? null) : null);
  return {
    ...(subscriber && {
      address: subscriber.address,
      state: subscriber.state,
      numberMadeFromTheAddress: subscriber.id,
      ...(subscriber.suppressed_why && {
        nothingIsSentBecause: subscriber.suppressed_why,
        nothingIsSentSince: subscriber.suppressed_at,
      }),
      agreed: {
        asked: subscriber.asked_at,
        inTheBox: subscriber.form,
        underTheWords: await wording(subscriber.wording),
        confirmed: subscriber.confirmed_at,
        left: subscriber.left_at,
      },
      ...(subscriber.requested_at && {
        lastRequest: {
          asked: subscriber.requested_at,
          inTheBox: subscriber.request_form,
          underTheWords: await wording(subscriber.request_wording),
        },
      }),
      askedToConfirmByMail: subscriber.mailed_at,
    }),
    requestsThatWait: await Promise.all(
      signUps.map(async ({ address, form, wording: id, asked_at }) => ({
        address,
        asked: asked_at,
        inTheBox: form,
        underTheWords: await wording(id),
      })),
    ),
    linksThatCanStillConfirm: tokens,
    letters: letters.map(({ kind, name, created_at, state, settled_at }) => ({
      letter: kind === 'confirmation' ? 'asks to confirm' : `issue ${name ?? ''}`.trim(),
      begun: created_at,
      state,
      ...(settled_at && { ended: settled_at }),
    })),
  };
}
