import type { Clock } from '../../core/clock.ts';
import { hashToken, type Ids } from '../../core/ids.ts';
import type { Log } from '../../core/log.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import type { DeliveryKind, DroppedKind, Payload } from '../../core/outbox/delivery.ts';
import { formatCount } from '../../lib/format-count.ts';
import { heldOrWaiting, type NewsletterIssues } from './newsletter-issues.ts';
import type { Subscribers } from './subscribers.ts';
import { suppressSubscriberById } from './suppress-subscriber.ts';

export type ConfirmationPayload = Payload & { kind: 'confirmation'; to: string; token: string };

export type NewsletterPayload = Payload & {
  kind: 'issue';
  to: string;
  subscriber: string;
  subject: string;
  html: string;
  text: string;
};

type DeliveryDeps = {
  subscribers: Pick<Subscribers, 'get' | 'addToken' | 'inTransaction'>;
  newsletterIssues: Pick<NewsletterIssues, 'get'>;
  clock: Clock;
  ids: Pick<Ids, 'token'>;
  log: Log;
};

const tokenLifetimeMs = 7 * 24 * 60 * 60 * 1000;

export const droppedByRestore: readonly DroppedKind[] = [
  {
    kind: 'issue',
    state: 'unconfirmed',
    counted: 'issues',
    describe: count =>
      `${formatCount(count, 'newsletter mail')} may have been sent since, and will not be resent by itself: npm run newsletter -- status`,
  },
  {
    kind: 'confirmation',
    state: 'cancelled',
    counted: 'confirmations',
    describe: count => `${formatCount(count, 'confirmation mail')} cancelled; those people can sign up again`,
  },
];

export function createNewsletterDeliveries(
  deps: DeliveryDeps,
): Record<'confirmation' | 'issue', DeliveryKind> {
  return {
    confirmation: {
      async createPayload(delivery): Promise<ConfirmationPayload | 'cancelled'> {
        const { reference, created_at: receivedAt } = delivery;
        const to = await findAddress(deps, delivery, 'pending');
        if (!to) return 'cancelled';
        return { kind: 'confirmation', reference, receivedAt, to, token: await makeToken(deps, delivery) };
      },
    },
    issue: {
      async createPayload(delivery): Promise<NewsletterPayload | 'cancelled'> {
        const { reference, due_at: receivedAt } = delivery;
        const to = await findAddress(deps, delivery, 'confirmed');
        const issue = await deps.newsletterIssues.get(delivery.issue as string);
        if (!to || !issue) return 'cancelled';
        const { subject, html, text } = issue;
        const subscriber = delivery.subscriber as string;
        return { kind: 'issue', reference, receivedAt, to, subscriber, subject, html, text };
      },
      getRescheduledState: ({ issue }) => heldOrWaiting(issue as string),
      async afterAttempt({ subscriber }, outcome) {
        if (outcome.kind !== 'permanent' || !outcome.isUnknownMailbox) return;
        const now = deps.clock.now().toISOString();
        const isNew = await suppressSubscriberById(deps.subscribers, subscriber as string, 'bounce', now);
        if (isNew) deps.log.info('subscriber suppressed', { reason: 'bounce' });
      },
    },
  };
}

async function findAddress(
  { subscribers }: DeliveryDeps,
  { subscriber }: Delivery,
  state: 'pending' | 'confirmed',
): Promise<string | undefined> {
  const found = await subscribers.get(subscriber as string);
  return found?.state === state && found.address ? found.address : undefined;
}

/** Created when it is sent, so that only the mail contains it. An earlier attempt's token stays valid: it may have arrived. */
async function makeToken(
  { subscribers, clock, ids }: DeliveryDeps,
  { subscriber }: Delivery,
): Promise<string> {
  const token = ids.token();
  await subscribers.addToken({
    hash: hashToken(token),
    subscriber: subscriber as string,
    expires_at: new Date(clock.now().getTime() + tokenLifetimeMs).toISOString(),
  });
  return token;
}
