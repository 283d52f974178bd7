import type { Clock } from '../../core/clock.ts';
import type { Ids } from '../../core/ids.ts';
import { mailboxWindowMs } from '../../core/mailbox-pseudonym.ts';
import type { Notice, NotifyOwner } from '../../core/outbox/notify-owner.ts';
import { recipientDomain } from './limits.ts';
import type { NewsletterKeys } from './newsletter-keys.ts';
import { processBatch } from './process-sign-up-batch.ts';
import type { SignUps } from './sign-ups.ts';
import type { Subscribers } from './subscribers.ts';

export type ProcessDeps = {
  signUps: Pick<SignUps, 'count'>;
  subscribers: Pick<Subscribers, 'inExclusiveTransaction'>;
  notifyOwner: NotifyOwner;
  clock: Clock;
  ids: Pick<Ids, 'reference'>;
  newsletterKeys: Pick<NewsletterKeys, 'mailboxPseudonym'>;
  maxPerHour: number;
  getRegistrableDomain(host: string): string;
  wake(): void;
};

const noticeEveryMs = 24 * 60 * 60 * 1000;
const maxSignUps = 100;

function maxPerDomain(maxPerHour: number): number {
  return Math.max(recipientDomain.min, Math.ceil(maxPerHour * recipientDomain.share));
}

export async function processSignUps(
  deps: ProcessDeps,
): Promise<{ mailed: number; isLimitReached: boolean }> {
  const { subscribers, clock, ids, newsletterKeys, maxPerHour, wake } = deps;
  let mailed = 0;
  let isDomainLimitReached = false;
  for (;;) {
    const now = clock.now();
    const batch = await processBatch(subscribers, {
      now: now.toISOString(),
      notMailedSince: before(now, mailboxWindowMs),
      countedSince: before(now, recipientDomain.windowMs),
      maxPerHour,
      maxPerDomain: maxPerDomain(maxPerHour),
      maxSignUps,
      reference: ids.reference,
      mailboxPseudonym: newsletterKeys.mailboxPseudonym,
      getRegistrableDomain: deps.getRegistrableDomain,
    });
    mailed += batch.mailed;
    if (batch.mailed > 0) wake();
    isDomainLimitReached ||= batch.isDomainLimitReached;
    if (!batch.isLimitReached && batch.processed > 0) continue;
    const isLimitReached = batch.isLimitReached || isDomainLimitReached;
    if (isLimitReached) await reportWaiting(deps);
    return { mailed, isLimitReached };
  }
}

async function reportWaiting({ signUps, notifyOwner, clock, maxPerHour }: ProcessDeps): Promise<void> {
  const waiting = await signUps.count();
  const now = clock.now();
  const run = { name: 'sign-ups-wait', now: now.toISOString(), lastRunBefore: before(now, noticeEveryMs) };
  await notifyOwner(run, formatNotice(waiting, maxPerHour), ({ takesDigests }) => takesDigests);
}

function formatNotice(waiting: number, maxPerHour: number): Notice {
  return {
    title: 'Website: requests for the newsletter are waiting',
    text: [
      `More people asked for the newsletter than the ${maxPerHour} confirmation mails that may be sent in an hour, or than the ${maxPerDomain(maxPerHour)} of them to addresses of one domain. Requests that wait: ${waiting}.`,
      'Their mails follow, hour by hour; a request that waits longer than 7 days is forgotten. Addresses may be being entered by other people than their owners: npm run newsletter -- drop-pending shows from which networks requests come, and drops them.',
      'To allow more, set NEWSLETTER_MAX_PER_HOUR and restart the website.',
    ].join('\n\n'),
  };
}

function before(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString();
}
