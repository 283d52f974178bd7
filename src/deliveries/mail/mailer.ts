import type { FilesDeps, Outcome } from '../delivery.ts';
import { composeMail, type Mail, type MailTransport } from './compose-mail.ts';
import { createFolderTransport } from './folder-transport.ts';
import { createSmtpTransport, type SmtpServer } from './smtp-transport.ts';

export type MailerSettings = {
  /** Unset: mails are written as files into the data folder. */
  smtp: SmtpServer | undefined;
  from: string;
};

export type Mailer = Omit<MailTransport, 'transmit'> & {
  send(mail: Mail, signal: AbortSignal): Promise<Outcome>;
};

export function createMailer({ smtp, from }: MailerSettings, deps: FilesDeps): Mailer {
  const { transmit, ...rest } = smtp ? createSmtpTransport(smtp) : createFolderTransport(deps);
  return {
    ...rest,
    async send(mail, signal) {
      const { reference, date, to } = mail;
      return transmit({ reference, date, from, to, bytes: await composeMail(mail, from) }, signal);
    },
  };
}
