import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Outcome, Receiver } from '../outbox/delivery.ts';

export type Mail = {
  /** In the Message-ID: the same for every attempt, so that a mailbox can detect a duplicate. */
  reference: string;
  date: Date;
  to: string;
  fromName?: string;
  replyTo?: Address;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
};

/** Never one string: "a@b.c, v@x.y" would be two addresses. */
export type Address = { name: string; address: string };

export function composeMail(mail: Mail, from: string): Promise<Buffer> {
  const text = withCrLf(mail.text);
  const html = mail.html === undefined ? undefined : withCrLf(mail.html);
  const composer = new MailComposer({
    from: { name: mail.fromName ?? '', address: from },
    to: { name: '', address: mail.to },
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    subject: mail.subject,
    messageId: `<${encodeURIComponent(mail.reference)}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    date: mail.date,
    headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
    text,
    ...(html === undefined ? {} : { html, baseBoundary: createBoundary(text, html) }),
    encoding: shorterEncoding(html ?? text),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

function withCrLf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

/** Quoted-printable makes three bytes of each that is not printable ASCII; from one in seven on, base64 is shorter. */
function shorterEncoding(text: string): 'quoted-printable' | 'base64' {
  const bytes = Buffer.from(text);
  const escaped = bytes.filter(byte => byte > 0x7e || byte === 0x3d).length;
  return escaped * 7 > bytes.length ? 'base64' : 'quoted-printable';
}

/** The same for every attempt, and cannot occur in the text. */
function createBoundary(text: string, html: string): string {
  return createHash('sha256').update(text).update('\0').update(html).digest('hex').slice(0, 32);
}

export type ComposedMail = { reference: string; date: Date; from: string; to: string; bytes: Buffer };

export type MailTransport = Pick<
  Receiver,
  'destination' | 'isIdempotent' | 'isLocal' | 'checkDiskSpace' | 'find'
> & {
  transmit(mail: ComposedMail, signal: AbortSignal): Promise<Outcome>;
  close(): void;
};
