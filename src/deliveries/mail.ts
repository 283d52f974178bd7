import type { FilesDeps, Receiver } from './delivery.ts';
import { groupMailOf } from './mail/group-mail.ts';
import { createMailer, type MailerSettings } from './mail/mailer.ts';
import { notificationOf } from './mail/notification.ts';

export type MailSettings = MailerSettings & {
  to: string;
  perSecond: number;
};

export function createMail(settings: MailSettings, deps: FilesDeps): Receiver & { close(): void } {
  const { send, ...carrier } = createMailer(settings, deps);
  return {
    ...carrier,
    name: 'mail',
    concurrency: 2,
    perSecond: settings.perSecond,
    deliver: (payload, { isPossibleDuplicate, signal }) =>
      send(notificationOf(payload, settings.to, isPossibleDuplicate), signal),
    // Files need no grouping, and each is found and erased by the reference in its name.
    ...(settings.smtp && {
      deliverGroup: (group, signal) => send(groupMailOf(group, settings.to), signal),
    }),
  };
}
