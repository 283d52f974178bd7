import type { AttemptRow, AuditRow, MessageRow } from '../../core/database/tables.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { pickMessageFields } from '../messages/message-fields.ts';
import type { ConsentTexts } from '../newsletter/consent-texts.ts';
import type { AuditHasher } from './audit-hasher.ts';
import type { NewsletterRecord, Privacy } from './privacy.ts';
import { hasSubscriberData, type PersonalData } from './search-personal-data.ts';

export type ExportDeps = {
  privacy: Pick<Privacy, 'listMessages' | 'listDeliveries' | 'listAttempts'>;
  consentTexts: Pick<ConsentTexts, 'get'>;
};

export type DataController = {
  name?: string;
  email?: string;
  address?: string;
  policy?: string;
};
export type RetentionTexts = { messages: string; quarantinedMessages: string; newsletter: string };

export async function exportPerson(
  deps: ExportDeps,
  found: Pick<PersonalData, 'messages' | 'mentions' | 'notes' | 'newsletter' | 'reports' | 'audit'>,
  about: { address: string; createdAt: string; from: DataController; retention: RetentionTexts },
) {
  const references = found.messages.map(({ reference }) => reference);
  const [messages, deliveries, attempts] = [
    await deps.privacy.listMessages(references),
    Map.groupBy(await deps.privacy.listDeliveries(references), ({ reference }) => reference),
    Map.groupBy(await deps.privacy.listAttempts(references), ({ reference }) => reference),
  ];
  return {
    about: `All personal data stored about ${about.address}, and where copies were sent. Times are in UTC.`,
    ...(found.mentions.length > 0 && {
      notIncluded: `Messages from other people that mention the address: ${found.mentions.length}.`,
    }),
    ...about,
    ...explain(about.from),
    messages: messages.map(row => ({
      ...describeMessage(row, deliveries.get(row.reference) ?? [], attempts.get(row.reference) ?? []),
      ourNotes: found.notes
        .filter(({ reference }) => reference === row.reference)
        .map(({ created_at, text }) => ({ written: created_at, text })),
    })),
    newsletter: found.newsletter ? await describeSubscriber(deps, found.newsletter) : null,
    auditReportsThatQuoteTheAddress: found.reports.map(({ domain, measuredAt }) => ({
      domain,
      measured: measuredAt,
    })),
    earlierRequests: found.audit.map(({ action, done_at }) => ({
      what: actionLabels[action],
      done: done_at,
    })),
  };
}

/** GDPR Art. 15: what is disclosed besides the data itself. */
function explain({ email }: DataController) {
  const to = email ? `Write to ${email}` : 'Write to us';
  return {
    usedFor: {
      messages:
        'reading and answering them, and preparing what you asked for: our legitimate interest in answering, and steps towards a contract',
      newsletter: 'sending it to you: your consent, which you can withdraw at any time',
    },
    seenBy: [
      'the people at our company who answer messages',
      'providers that run a server, spreadsheet, mail or chat system for us, on our instructions',
    ],
    comesFrom: 'you, through the forms of our website, unless an entry says that it was imported',
    automatedDecisions: 'none',
    yourRights: `${to} to have something corrected or erased, to restrict or object to its use, or to withdraw a consent. It costs nothing.`,
    complaints: `${to} and begin with the words ‘data-protection complaint’. You may also complain to the data-protection authority of the country where you live or work.`,
  };
}

const actionLabels: Record<AuditRow['action'], string> = {
  erase: 'erased',
  'erase-newsletter': 'erased from the newsletter',
  'erase-message': 'erased a message',
  rectify: 'rectified',
  export: 'exported',
};

const receiverLabels: Record<string, string> = {
  sheet: 'our spreadsheet of messages',
  mail: 'a mail to the people who answer',
  webhook: 'our own chat or another system of ours',
  acknowledgements: 'a mail to you that your message has arrived',
};

function describeMessage(row: MessageRow, deliveries: Delivery[], attempts: AttemptRow[]) {
  return {
    reference: row.reference,
    received: row.received_at,
    state: row.state,
    ...(row.quarantine_reason && { quarantinedBecause: row.quarantine_reason }),
    ...(row.answered_at && { answered: row.answered_at }),
    ...(row.closed_at && { closed: row.closed_at }),
    ...pickMessageFields(row),
    ...(row.idempotency_key !== null && { idempotencyKeyHash: row.idempotency_key }),
    copies: deliveries.map(({ receiver, state, created_at, settled_at, mailbox }) => ({
      to: receiverLabels[receiver] ?? receiver,
      state,
      begun: created_at,
      ...(settled_at && { ended: settled_at }),
      ...(mailbox && { mailboxHash: mailbox }),
      attempts: attempts
        .filter(attempt => attempt.receiver === receiver)
        // The reason of a failure names our servers, and says nothing about the person.
        .map(({ ended_at, state: result }) => ({ ended: ended_at, result })),
    })),
  };
}

async function describeSubscriber(
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

type RecordDeps = { privacy: Pick<Privacy, 'recordAudit'>; auditHasher: AuditHasher };

export async function recordExport(
  { privacy, auditHasher }: RecordDeps,
  { address, createdAt, found }: { address: string; createdAt: string; found: PersonalData },
): Promise<{ messages: number; newsletter: number }> {
  const counts = { messages: found.messages.length, newsletter: Number(hasSubscriberData(found.newsletter)) };
  await privacy.recordAudit([
    {
      hash: auditHasher.hashAddress(address),
      action: 'export',
      done_at: createdAt,
      counts: JSON.stringify(counts),
    },
  ]);
  return counts;
}
