import type { AuditRow, MessageRow, MessageState, NoteRow } from '../../core/database/tables.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { messageFieldNames } from '../messages/message-fields.ts';
import type { NewsletterKeys } from '../newsletter/newsletter-keys.ts';
import type { AddressMatcher } from './address-matcher.ts';
import { type AuditHasher, getSenderAddress } from './audit-hasher.ts';
import type { LocalCopies, LocalCopy } from './local-copies.ts';
import type { FoundReport, NewsletterRecord, Privacy } from './privacy.ts';

export type SearchDeps = {
  privacy: Privacy;
  copies: Pick<LocalCopies, 'find'>;
  newsletterKeys: Pick<NewsletterKeys, 'subscriberPseudonym'>;
  auditHasher: AuditHasher;
};

export type FoundMessage = { reference: string; receivedAt: string; state: MessageState; excerpt: string };

export type PersonalData = {
  messages: FoundMessage[];
  mentions: FoundMessage[];
  notes: NoteRow[];
  deliveries: Delivery[];
  subscriber: string | undefined;
  newsletter: NewsletterRecord | undefined;
  notices: { reference: string; at: string }[];
  issues: string[];
  reports: FoundReport[];
  copies: LocalCopy[];
  audit: AuditRow[];
};

/** `extraReferences`: references of the person's messages that do not contain the address. */
export async function searchPersonalData(
  deps: SearchDeps,
  matcher: AddressMatcher,
  extraReferences: readonly string[] = [],
): Promise<PersonalData> {
  const { privacy, copies } = deps;
  const messages = (await privacy.listMessages(extraReferences)).map(summarizeMessage);
  const mentions: FoundMessage[] = [];
  const known = new Set(extraReferences);
  for await (const page of privacy.eachMessageContaining(matcher.part)) {
    const notes = await privacy.listNotes(page.map(({ reference }) => reference));
    const noted = new Set(
      notes.filter(({ text }) => matcher.mentions(text)).map(({ reference }) => reference),
    );
    for (const row of page) {
      if (known.has(row.reference)) continue;
      if (matcher.belongsToPerson(getSenderAddress(row))) messages.push(summarizeMessage(row));
      else if (noted.has(row.reference) || messageFieldNames.some(name => matcher.mentions(row[name])))
        mentions.push(summarizeMessage(row));
    }
  }
  const references = [...new Set([...extraReferences, ...messages.map(({ reference }) => reference)])];
  const key = parseDeliverableAddress(matcher.address)?.lowerCaseAddress;
  const subscriber = key === undefined ? undefined : deps.newsletterKeys.subscriberPseudonym(key);
  const notices = await Array.fromAsync(privacy.eachNotice(), page =>
    page
      .filter(({ payload }) => matcher.mentions(payload ?? ''))
      .map(({ reference, created_at: at }) => ({ reference, at })),
  );
  const issues = await Array.fromAsync(privacy.eachNewsletterIssue(), page =>
    page.filter(({ text }) => matcher.mentions(text)).map(({ name }) => name),
  );
  return {
    messages,
    mentions,
    notes: await privacy.listNotes(references),
    deliveries: await privacy.listDeliveries(references),
    subscriber,
    newsletter: subscriber === undefined ? undefined : await privacy.getNewsletter(subscriber),
    notices: notices.flat(),
    issues: issues.flat(),
    reports: await privacy.listReportsContaining(matcher.part ?? '@', matcher.mentions),
    copies: await copies.find({ ...matcher, references: new Set(references) }),
    audit: await privacy.listAudit(deps.auditHasher.hashAddress(matcher.address)),
  };
}

/** Audit entries and a pseudonym alone are not personal data. */
export function isNothingFound(found: PersonalData): boolean {
  return (
    [found.messages, found.mentions, found.deliveries, found.notices, found.reports].every(
      list => list.length === 0,
    ) &&
    found.copies.every(({ kind }) => kind === 'unmanaged file') &&
    !hasSubscriberData(found.newsletter)
  );
}

export function hasSubscriberData(newsletter: NewsletterRecord | undefined): boolean {
  if (!newsletter) return false;
  const { subscriber, signUps, mails, tokens } = newsletter;
  const isNamed = subscriber !== undefined && subscriber.address !== null;
  return isNamed || signUps.length > 0 || mails.length > 0 || tokens > 0;
}

const maxExcerptLength = 200;

export function summarizeMessage({
  reference,
  received_at: receivedAt,
  state,
  name,
  message,
}: MessageRow): FoundMessage {
  const excerpt = [name.trim(), message.trim().slice(0, maxExcerptLength)].filter(Boolean).join(': ');
  return { reference, receivedAt, state, excerpt };
}

/** Where the settings send copies of personal data. */
export type CopyTargets = {
  destinations: ReadonlyMap<string, string>;
  /** Receivers whose copies are files on this machine, which are searched and erased. */
  local: ReadonlySet<string>;
  /** The server that handles mail to the person; undefined where mails are files. */
  mailServer: string | undefined;
  ledgerPath: string;
};

export type RemoteReceiver = { receiver: string; destination: string | undefined; references: string[] };

export async function listRemoteReceivers(
  { privacy }: { privacy: Pick<Privacy, 'listDeliveries'> },
  { deliveries, mentions }: Pick<PersonalData, 'deliveries' | 'mentions'>,
  { destinations, local }: CopyTargets,
): Promise<RemoteReceiver[]> {
  const others = await privacy.listDeliveries(mentions.map(({ reference }) => reference));
  const copied = [...deliveries, ...others].filter(({ kind, receiver, state, is_ambiguous }) => {
    const mayHave =
      state === 'delivered' || state === 'sending' || state === 'unconfirmed' || is_ambiguous === 1;
    return kind === 'message' && mayHave && !local.has(receiver);
  });
  return [...Map.groupBy(copied, ({ receiver }) => receiver)].map(([receiver, rows]) => ({
    receiver,
    destination: destinations.get(receiver),
    references: [...new Set(rows.map(({ reference }) => reference))].sort(),
  }));
}
