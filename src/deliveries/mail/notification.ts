import { domainToASCII } from 'node:url';
import { assertForOwner, type MessageParcel, type Parcel } from '../delivery.ts';
import { type Room, shorten } from '../shorten.ts';
import { visibleLine, visibleLines } from '../visible.ts';
import type { Address, Mail } from './compose.ts';

/**
 * The mail that tells the owner of a parcel. The date is that of receipt: it is when the words were ready to be sent, and
 * it makes every attempt the same mail.
 */
export function notificationOf(parcel: Parcel, to: string, isPossiblyTwice: boolean): Mail {
  assertForOwner(parcel);
  const { reference } = parcel;
  const mail = parcel.kind === 'notice' ? { subject: parcel.title, text: parcel.text } : describe(parcel);
  return {
    ...mail,
    reference,
    date: new Date(parcel.receivedAt),
    to,
    text: isPossiblyTwice ? `${mail.text.trimEnd()}\n\n${twice(reference)}\n` : mail.text,
    headers: isPossiblyTwice ? { 'X-Possibly-Twice': 'yes' } : {},
  };
}

/** Nothing of the visitor's stands in the subject, where it would be read as ours. */
function describe(parcel: MessageParcel): Pick<Mail, 'subject' | 'text' | 'replyTo'> {
  const replyTo = addressOf(parcel);
  const text = [
    `Name:      ${shown(parcel.name)}`,
    `E-mail:    ${shown(parcel.email)}`,
    `Service:   ${shown(parcel.service)}`,
    `Received:  ${parcel.receivedAt.slice(0, 19).replace('T', ' ')} UTC`,
    `Reference: ${parcel.reference}`,
    '',
    replyTo
      ? 'An answer to this mail goes to the visitor.'
      : 'The visitor gave no e-mail address that an answer to this mail could go to.',
    'What the visitor wrote, each line after a bar:',
    '',
    quoted(shorten(parcel.message, quoted, messageRoom)),
    '',
  ].join('\n');
  return { subject: `Website message ${parcel.reference}`, text, ...(replyTo ? { replyTo } : {}) };
}

function twice(reference: string): string {
  return `This mail may arrive twice, because it is not known whether an earlier attempt did: both carry the reference ${reference}.`;
}

/** Written as base64 text grows by 37 %: with this and the headers a mail stays within 1.5 times its message and 8 KB. */
const messageRoom: Room = { factor: 1.08, slack: 2500 };
const fieldRoom: Room = { factor: 1.08, slack: 300 };

function shown(value: string): string {
  return value.trim() ? visibleLine(shorten(value.trim(), visibleLine, fieldRoom)) : '(not given)';
}

/** After a bar, not the sign of a quotation: some mail programs fold quotations away. */
function quoted(message: string): string {
  return visibleLines(message.trimEnd())
    .map(line => `| ${line}`.trimEnd())
    .join('\r\n');
}

const mailbox = /^([a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64})@([^\s@<>()[\]\\,;:"]{1,253})$/iu;
/** Letters and what stands between them in a name: nothing that is a sign in an address header. */
const harmlessName = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’-]{0,63}$/u;

/**
 * None where the address is not plainly one, or needs a mail server that takes more than ASCII before the @. What looks
 * like encoded text (=?…) is none: some mail programs would decode it, and find a name, a line or an address in it.
 */
function addressOf({ name, email }: MessageParcel): Address | undefined {
  const [, local, domain] = mailbox.exec(email.trim()) ?? [];
  const host = domain && domainToASCII(domain);
  if (!host || !/^[a-z0-9.-]+$/.test(host) || local?.includes('=?')) return undefined;
  return { name: harmlessName.test(name.trim()) ? name.trim() : '', address: `${local}@${host}` };
}
