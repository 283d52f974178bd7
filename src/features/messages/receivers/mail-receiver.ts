import { createMailer, type MailerSettings } from '../../../core/mail/mailer.ts';
import type { FilesDeps, Receiver } from '../../../core/outbox/delivery.ts';
import { createNotificationMail } from './notification-mail.ts';

export type MailReceiverSettings = MailerSettings & { to: string; perSecond: number };

export function createMailReceiver(
  settings: MailReceiverSettings,
  deps: FilesDeps,
): Receiver & { close(): void } {
  const { send, ...transport } = createMailer(settings, deps);
  return {
    ...transport,
    name: 'mail',
    concurrency: 2,
    perSecond: settings.perSecond,
    deliver: (payload, { isPossibleDuplicate, signal }) =>
      send(createNotificationMail(payload, settings.to, isPossibleDuplicate), signal),
  };
}
