import MailComposer from 'nodemailer/lib/mail-composer';

export type Mail = {
  /** The left side of the Message-ID: the same for every attempt, so that a mailbox can tell a repeat. */
  reference: string;
  date: Date;
  to: string;
  replyTo?: Address;
  subject: string;
  text: string;
  headers?: Record<string, string>;
};

/** Never a string of both: "a@b.c, v@x.y" would be two addresses. */
export type Address = { name: string; address: string };

/** The whole mail as it goes over the wire or into a file. */
export function compose(mail: Mail, from: string): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: '', address: from },
    to: { name: '', address: mail.to },
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    subject: mail.subject,
    messageId: `<${encodeURIComponent(mail.reference)}@${hostOf(from)}>`,
    date: mail.date,
    headers: { ...mail.headers, 'Auto-Submitted': 'auto-generated' },
    text: mail.text,
    encoding: 'quoted-printable',
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

function hostOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
