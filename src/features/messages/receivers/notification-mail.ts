import type { Address, Mail } from '../../../core/mail/compose-mail.ts';
import type { Payload } from '../../../core/outbox/delivery.ts';
import { type SizeLimit, truncateToSize } from '../../../core/outbox/truncate-to-size.ts';
import { parseMailHeaderAddress } from '../../../lib/email-address.ts';
import { escapeInvisible, escapeInvisibleLines } from '../../../lib/escape-invisible.ts';
import { detailFields, type MessageFields } from '../message-fields.ts';
import { assertForOwner, type MessagePayload } from '../payloads.ts';

/** The date is that of receipt, so that every attempt is the same mail. */
export function createNotificationMail(payload: Payload, to: string, isPossibleDuplicate: boolean): Mail {
  assertForOwner(payload);
  const { reference } = payload;
  const mail =
    payload.kind === 'notice' ? { subject: payload.title, text: payload.text } : composeMessage(payload);
  return {
    ...mail,
    reference,
    date: new Date(payload.receivedAt),
    to,
    text: isPossibleDuplicate ? `${mail.text.trimEnd()}\n\n${describeDuplicate(reference)}\n` : mail.text,
    headers: isPossibleDuplicate ? { 'X-Possible-Duplicate': 'yes' } : {},
  };
}

function composeMessage(payload: MessagePayload): Pick<Mail, 'subject' | 'text' | 'replyTo'> {
  const replyTo = createReplyTo(payload);
  const text = [
    ...formatDetails(payload),
    `${'Received:'.padEnd(detailWidth)}${payload.receivedAt.slice(0, 19).replace('T', ' ')} UTC`,
    `${'Reference:'.padEnd(detailWidth)}${payload.reference}`,
    ...(payload.auditReport === undefined
      ? []
      : [
          `${'Report:'.padEnd(detailWidth)}of a free audit; to read it: npm run inbox -- show ${payload.reference}`,
        ]),
    '',
    replyTo
      ? 'Reply to this email to answer the visitor.'
      : 'The visitor left no email address, so a reply to this email cannot reach them.',
    'The message, each line after a bar:',
    '',
    quote(truncateToSize(payload.message, quote, messageLimit)),
    '',
  ].join('\n');
  return { subject: createSubject(payload, replyTo?.address), text, ...(replyTo ? { replyTo } : {}) };
}

/** Names the sender, so that a mailbox shows who wrote; visitor input that could read as ours is left out. */
function createSubject({ name, reference }: MessagePayload, address: string | undefined): string {
  const sender = isHarmlessName(name) ? escapeInvisible(name.trim()) : address;
  return sender ? `Message from ${sender} (${reference})` : `Website message ${reference}`;
}

function describeDuplicate(reference: string): string {
  return `This email may arrive twice: it is not known whether an earlier attempt succeeded. Both have the reference ${reference}.`;
}

/** Base64 grows text by 37 %: with headers a mail stays within 1.5 times its message and 8 KB. */
const messageLimit: SizeLimit = { factor: 1.08, extraBytes: 2500 };
const fieldLimit: SizeLimit = { factor: 1.08, extraBytes: 300 };

/** One line for each field but the message's text. */
function formatDetails(fields: MessageFields): string[] {
  return detailFields.map(({ name, label }) => `${label}:`.padEnd(detailWidth) + formatField(fields[name]));
}

const detailWidth =
  Math.max(...['Reference', ...detailFields.map(({ label }) => label)].map(label => label.length)) + 2;

function formatField(value: string): string {
  return value.trim()
    ? escapeInvisible(truncateToSize(value.trim(), escapeInvisible, fieldLimit))
    : '(not given)';
}

/** A bar, not '>': some mail programs fold quotations away. */
function quote(message: string): string {
  return escapeInvisibleLines(message.trimEnd())
    .map(line => `| ${line}`.trimEnd())
    .join('\r\n');
}

const harmlessName = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’-]{0,63}$/u;
const likeReference = /[0-9A-Z]{5}-[0-9A-Z]{5}/i;

function isHarmlessName(name: string): boolean {
  return harmlessName.test(name.trim()) && !likeReference.test(name);
}

/** Refuses `=?`: some mail programs would decode it to a name, a line break or another address. */
function createReplyTo({ name, email }: MessagePayload): Address | undefined {
  const address = parseMailHeaderAddress(email.trim());
  if (!address || address.includes('=?')) return undefined;
  return { name: isHarmlessName(name) ? name.trim() : '', address };
}
