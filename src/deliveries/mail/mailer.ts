import type { FilesDeps, Outcome } from '../delivery.ts';
import { type Carrier, compose, type Mail } from './compose.ts';
import { createFolder } from './folder.ts';
import { createSmtp, type SmtpServer } from './smtp.ts';

export type MailerSettings = {
  /** Unset: mails are written as files into the data folder. */
  smtp: SmtpServer | undefined;
  from: string;
};

export type Mailer = Omit<Carrier, 'carry'> & {
  send(mail: Mail, signal: AbortSignal): Promise<Outcome>;
};

export function createMailer({ smtp, from }: MailerSettings, deps: FilesDeps): Mailer {
  const { carry, ...rest } = smtp ? createSmtp(smtp) : createFolder(deps);
  return {
    ...rest,
    async send(mail, signal) {
      const { reference, date, to } = mail;
      return carry({ reference, date, from, to, bytes: await compose(mail, from) }, signal);
    },
  };
}
