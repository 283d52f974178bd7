import { createMailer, type MailerSettings } from '../../../core/mail/mailer.ts';
import type { FilesDeps } from '../../../core/outbox/delivery.ts';
import type { OwnerPayload, OwnerReceiver } from '../payloads.ts';
import { forOwner, type ReceiverDefinition } from './define-receiver.ts';
import { createNotificationMail } from './notification-mail.ts';

export type MailReceiverSettings = MailerSettings & { to: string; perSecond: number };

const type = forOwner({
  name: 'mail',
  label: 'Email to you',
  recipients: 'mailbox',
  isReadAtOnce: true,
  takesDigests: true,
});

export const mail: ReceiverDefinition<OwnerPayload> = {
  ...type,
  toSender: 'a mail to the people who answer',
  copies: {
    place: 'Your mailbox, and its archives',
    what: 'mails in the mailbox for notifications, and in its archives,',
  },
  create: ({ config, checkDiskSpace }) =>
    createMailReceiver(config.mail, { dataDir: config.dataDir, checkDiskSpace }),
};

export function createMailReceiver(
  settings: MailReceiverSettings,
  deps: FilesDeps,
): OwnerReceiver & { close(): void } {
  const { send, ...transport } = createMailer(settings, deps);
  return {
    ...transport,
    ...type,
    concurrency: 2,
    perSecond: settings.perSecond,
    deliver: (payload, { isPossibleDuplicate, signal }) =>
      send(createNotificationMail(payload, settings.to, isPossibleDuplicate), signal),
  };
}
