import { createMailer, type MailerSettings } from '../../../core/mail/mailer.ts';
import type { FilesDeps } from '../../../core/outbox/delivery.ts';
import type { OwnerReceiver } from '../payloads.ts';
import { createNotificationMail } from './notification-mail.ts';
import { receiverTypes } from './receiver-types.ts';

export type MailReceiverSettings = MailerSettings & { to: string; perSecond: number };

export function createMailReceiver(
  settings: MailReceiverSettings,
  deps: FilesDeps,
): OwnerReceiver & { close(): void } {
  const { send, ...transport } = createMailer(settings, deps);
  return {
    ...transport,
    ...receiverTypes.mail,
    concurrency: 2,
    perSecond: settings.perSecond,
    deliver: (payload, { isPossibleDuplicate, signal }) =>
      send(createNotificationMail(payload, settings.to, isPossibleDuplicate), signal),
  };
}
