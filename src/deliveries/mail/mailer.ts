import type { FilesDeps, Outcome } from '../delivery.ts';
import type { Carrier } from './carrier.ts';
import { compose, type Mail } from './compose.ts';
import { createFolder } from './folder.ts';
import { createSmtp, type Patience, type SmtpServer } from './smtp.ts';

export type MailerSettings = {
  /** Unset: mails are written as files into the data folder. */
  smtp: SmtpServer | undefined;
  from: string;
};

export type MailerDeps = FilesDeps & { patience?: Patience };

/** Sends any mail of ours, to anybody. */
export type Mailer = Pick<Carrier, 'place' | 'isUpserting' | 'find' | 'lowSpace' | 'close'> & {
  send(mail: Mail, signal: AbortSignal): Promise<Outcome>;
};

export function createMailer({ smtp, from }: MailerSettings, deps: MailerDeps): Mailer {
  const { carry, ...rest } = smtp ? createSmtp(smtp, deps.patience) : createFolder(deps);
  return {
    ...rest,
    async send(mail, signal) {
      const { reference, date, to } = mail;
      return carry({ reference, date, from, to, bytes: await compose(mail, from) }, signal);
    },
  };
}
