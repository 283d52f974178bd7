import type { FilesDeps, Outcome } from '../outbox/delivery.ts';
import { composeMail, type Mail } from './compose-mail.ts';
import { createFolderTransport } from './folder-transport.ts';
import { createSmtpTransport, type SmtpServer } from './smtp-transport.ts';

export type MailerSettings = {
  smtp: SmtpServer | undefined;
  from: string;
};

export function createMailer({ smtp, from }: MailerSettings, deps: FilesDeps) {
  const { transmit, ...rest } = smtp ? createSmtpTransport(smtp) : createFolderTransport(deps);
  return {
    ...rest,
    async send(mail: Mail, signal: AbortSignal): Promise<Outcome> {
      const { reference, date, to } = mail;
      return transmit({ reference, date, from, to, bytes: await composeMail(mail, from) }, signal);
    },
  };
}

/** A mail to a person other than the owner is not tried again at an address that its server refuses. */
export function failIfRejected(outcome: Outcome): Outcome {
  if (outcome.kind !== 'retry' || !outcome.recipient) return outcome;
  return { kind: 'permanent', failure: outcome.failure, isUnknownMailbox: outcome.recipient === 'unknown' };
}
