import type { Delivery } from '../../store/outbox.ts';
import type { NewsletterRecord, Privacy } from '../../store/privacy.ts';
import type { AuditRow, MessageRow, MessageState } from '../../store/tables.ts';
import { parseAddress } from '../subscribers/address.ts';
import type { Naming } from '../subscribers/naming.ts';
import type { Copies, Copy } from './copies.ts';
import { type AuditNaming, writerOf } from './naming.ts';
import type { Trace } from './trace.ts';

export type FindDeps = {
  privacy: Privacy;
  copies: Pick<Copies, 'find'>;
  newsletter: Pick<Naming, 'nameSubscriber'>;
  audit: AuditNaming;
};

/** Enough of a message to know it again; there may be many. */
export type Found = { reference: string; receivedAt: string; state: MessageState; words: string };

export type Findings = {
  /** Messages they wrote, and those that are to be treated like them. */
  messages: Found[];
  /** Others' messages in which the address stands. */
  mentions: Found[];
  deliveries: Delivery[];
  subscriber: string | undefined;
  newsletter: NewsletterRecord | undefined;
  notices: { reference: string; at: string }[];
  /** Issues of the newsletter in which the address stands: the owner's own words. */
  issues: string[];
  copies: Copy[];
  audit: AuditRow[];
};

/** Where anything about this address is. `also` names messages that are theirs though the address does not say so. */
export async function findPerson(
  deps: FindDeps,
  trace: Trace,
  also: readonly string[] = [],
): Promise<Findings> {
  const { privacy, copies } = deps;
  const messages = (await privacy.listMessages(also)).map(shorten);
  const mentions: Found[] = [];
  const known = new Set(also);
  for await (const page of privacy.eachHolding(trace.part)) {
    for (const row of page) {
      if (known.has(row.reference)) continue;
      if (trace.isTheirs(writerOf(row))) messages.push(shorten(row));
      else if (fieldsOf(row).some(trace.mentions)) mentions.push(shorten(row));
    }
  }
  const references = [...new Set([...also, ...messages.map(({ reference }) => reference)])];
  const key = parseAddress(trace.address)?.key;
  const subscriber = key === undefined ? undefined : deps.newsletter.nameSubscriber(key);
  return {
    messages,
    mentions,
    deliveries: await privacy.listDeliveries(references),
    subscriber,
    newsletter: subscriber === undefined ? undefined : await privacy.getNewsletter(subscriber),
    notices: await findNotices(privacy, trace),
    issues: await findIssues(privacy, trace),
    copies: await copies.find({ ...trace, references: new Set(references) }),
    audit: await privacy.listAudit(deps.audit.ofAddress(trace.address)),
  };
}

/** Whether nothing is there that could be erased. What the audit knows is nobody's data, and so is an id alone. */
export function isNothing({
  messages,
  mentions,
  deliveries,
  newsletter,
  notices,
  copies,
}: Findings): boolean {
  return (
    [messages, mentions, deliveries, notices].every(list => list.length === 0) &&
    copies.every(({ kind }) => kind === 'file') &&
    !isReader(newsletter)
  );
}

/** More is kept than the id by which nothing is sent. */
export function isReader(newsletter: NewsletterRecord | undefined): boolean {
  if (!newsletter) return false;
  const { subscriber, signUps, letters, tokens } = newsletter;
  const isNamed = subscriber !== undefined && subscriber.address !== null;
  return isNamed || signUps.length > 0 || letters.length > 0 || tokens > 0;
}

function fieldsOf({ name, email, service, message }: MessageRow): string[] {
  return [name, email, service, message];
}

const mostWords = 200;

function shorten({ reference, received_at: receivedAt, state, name, message }: MessageRow): Found {
  const words = [name.trim(), message.trim().slice(0, mostWords)].filter(Boolean).join(': ');
  return { reference, receivedAt, state, words };
}

async function findNotices(privacy: Privacy, { mentions }: Trace): Promise<Findings['notices']> {
  const found: Findings['notices'] = [];
  for await (const page of privacy.eachNotice()) {
    for (const { reference, created_at: at, payload } of page) {
      if (mentions(payload ?? '')) found.push({ reference, at });
    }
  }
  return found;
}

async function findIssues(privacy: Privacy, { mentions }: Trace): Promise<string[]> {
  const found: string[] = [];
  for await (const page of privacy.eachIssue()) {
    for (const { name, text } of page) if (mentions(text)) found.push(name);
  }
  return found;
}
