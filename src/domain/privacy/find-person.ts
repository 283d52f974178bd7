import type { Delivery } from '../../store/deliveries.ts';
import type { NewsletterRecord, Privacy } from '../../store/privacy.ts';
import type { AuditRow, MessageRow, MessageState } from '../../store/tables.ts';
import { parseAddress } from '../newsletter/email-address.ts';
import type { Naming } from '../newsletter/pseudonym.ts';
import type { ExternalCopies, ExternalCopy } from './external-copies.ts';
import { type AuditNaming, writerOf } from './pseudonym.ts';
import type { Trace } from './search-personal-data.ts';

export type FindDeps = {
  privacy: Privacy;
  copies: Pick<ExternalCopies, 'find'>;
  newsletter: Pick<Naming, 'nameSubscriber'>;
  audit: AuditNaming;
};

export type Found = { reference: string; receivedAt: string; state: MessageState; words: string };

export type Findings = {
  /** Messages they wrote, and those given as `also`. */
  messages: Found[];
  /** Other people's messages that contain the address. */
  mentions: Found[];
  deliveries: Delivery[];
  subscriber: string | undefined;
  newsletter: NewsletterRecord | undefined;
  notices: { reference: string; at: string }[];
  issues: string[];
  copies: ExternalCopy[];
  audit: AuditRow[];
};

/** `also`: references of messages that are theirs though the address does not say so. */
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
      else if (fields.some(name => trace.mentions(row[name]))) mentions.push(shorten(row));
    }
  }
  const references = [...new Set([...also, ...messages.map(({ reference }) => reference)])];
  const key = parseAddress(trace.address)?.key;
  const subscriber = key === undefined ? undefined : deps.newsletter.nameSubscriber(key);
  const notices = await Array.fromAsync(privacy.eachNotice(), page =>
    page
      .filter(({ payload }) => trace.mentions(payload ?? ''))
      .map(({ reference, created_at: at }) => ({ reference, at })),
  );
  const issues = await Array.fromAsync(privacy.eachIssue(), page =>
    page.filter(({ text }) => trace.mentions(text)).map(({ name }) => name),
  );
  return {
    messages,
    mentions,
    deliveries: await privacy.listDeliveries(references),
    subscriber,
    newsletter: subscriber === undefined ? undefined : await privacy.getNewsletter(subscriber),
    notices: notices.flat(),
    issues: issues.flat(),
    copies: await copies.find({ ...trace, references: new Set(references) }),
    audit: await privacy.listAudit(deps.audit.ofAddress(trace.address)),
  };
}

/** Audit entries and an id alone are no personal data. */
export function isNothing(found: Findings): boolean {
  return (
    [found.messages, found.mentions, found.deliveries, found.notices].every(list => list.length === 0) &&
    found.copies.every(({ kind }) => kind === 'file') &&
    !isReader(found.newsletter)
  );
}

/** More is stored than the id that keeps mail from being sent. */
export function isReader(newsletter: NewsletterRecord | undefined): boolean {
  if (!newsletter) return false;
  const { subscriber, signUps, letters, tokens } = newsletter;
  const isNamed = subscriber !== undefined && subscriber.address !== null;
  return isNamed || signUps.length > 0 || letters.length > 0 || tokens > 0;
}

const fields = ['name', 'email', 'service', 'message'] as const;
const mostWords = 200;

function shorten({ reference, received_at: receivedAt, state, name, message }: MessageRow): Found {
  const words = [name.trim(), message.trim().slice(0, mostWords)].filter(Boolean).join(': ');
  return { reference, receivedAt, state, words };
}

export type Outside = { receiver: string; place: string | undefined; references: string[] };

/** `places` are the receivers outside this machine, `inside` those that write files here. */
export function listOutside(
  deliveries: readonly Delivery[],
  { places, inside }: { places: ReadonlyMap<string, string>; inside: ReadonlySet<string> },
): Outside[] {
  const copied = deliveries.filter(({ kind, receiver, state, is_ambiguous }) => {
    const mayHave = state === 'delivered' || state === 'sending' || state === 'unsure' || is_ambiguous === 1;
    return kind === 'message' && mayHave && !inside.has(receiver);
  });
  return [...Map.groupBy(copied, ({ receiver }) => receiver)].map(([receiver, rows]) => ({
    receiver,
    place: places.get(receiver),
    references: [...new Set(rows.map(({ reference }) => reference))].sort(),
  }));
}
