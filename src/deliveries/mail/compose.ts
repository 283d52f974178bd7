import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';

export type Mail = {
  /** The left side of the Message-ID: the same for every attempt, so that a mailbox can tell a repeat. */
  reference: string;
  date: Date;
  to: string;
  /** Shown beside our own address. */
  fromName?: string;
  replyTo?: Address;
  subject: string;
  text: string;
  /** The same words once more, for programs that show them better. */
  html?: string;
  headers?: Record<string, string>;
};

/** Never a string of both: "a@b.c, v@x.y" would be two addresses. */
export type Address = { name: string; address: string };

/** The whole mail as it goes over the wire or into a file. */
export function compose(mail: Mail, from: string): Promise<Buffer> {
  const text = withReturns(mail.text);
  const html = mail.html === undefined ? undefined : withReturns(mail.html);
  const composer = new MailComposer({
    from: { name: mail.fromName ?? '', address: from },
    to: { name: '', address: mail.to },
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    subject: mail.subject,
    messageId: `<${encodeURIComponent(mail.reference)}@${hostOf(from)}>`,
    date: mail.date,
    headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
    text,
    ...(html === undefined ? {} : { html, baseBoundary: boundaryOf(text, html) }),
    encoding: shorterEncoding(html ?? text),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Lines of a mail end in CRLF: nodemailer sees to that in quoted-printable, and not in base64. */
function withReturns(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

/** Quoted-printable makes three bytes of each that is not printable ASCII; from one in seven on, base64 is shorter. */
function shorterEncoding(text: string): 'quoted-printable' | 'base64' {
  const bytes = Buffer.from(text);
  const escaped = bytes.filter(byte => byte > 0x7e || byte === 0x3d).length;
  return escaped * 7 > bytes.length ? 'base64' : 'quoted-printable';
}

/** Of the words themselves: the same for every attempt, and nothing that could be among them. */
function boundaryOf(text: string, html: string): string {
  return createHash('sha256').update(text).update('\0').update(html).digest('hex').slice(0, 32);
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
