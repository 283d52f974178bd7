import type { Receiver } from './delivery.ts';
import { groupMailOf } from './mail/group.ts';
import { createMailer, type MailerDeps, type MailerSettings } from './mail/mailer.ts';
import { notificationOf } from './mail/notification.ts';

export type MailSettings = MailerSettings & {
  /** Whoever is told of each message. */
  to: string;
  perSecond: number;
};

/** Tells the owner by mail, or by files in the data folder where there is no mail server. */
export function createMail(settings: MailSettings, deps: MailerDeps): Receiver & { close(): void } {
  const { place, isUpserting, lowSpace, find, send, close } = createMailer(settings, deps);
  return {
    name: 'mail',
    place,
    concurrency: 2,
    perSecond: settings.perSecond,
    isUpserting,
    ...(lowSpace && { lowSpace }),
    deliver: (parcel, { isPossiblyTwice, signal }) =>
      send(notificationOf(parcel, settings.to, isPossiblyTwice), signal),
    // Files disturb nobody, and each is found and erased by the reference in its name.
    ...(settings.smtp && {
      deliverGroup: (group, signal) => send(groupMailOf(group, settings.to), signal),
    }),
    ...(find && {
      find: ({ reference, receivedAt }) => find({ reference, date: new Date(receivedAt) }),
    }),
    close,
  };
}
