import type { SubscriberRow, SubscriberState } from '../../core/database/tables.ts';
import type { ConsentTexts } from './consent-texts.ts';
import type { SignUps } from './sign-ups.ts';
import type { NewsletterRecord, SubscriberSearch, Subscribers } from './subscribers.ts';

type SearchDeps = {
  subscribers: Pick<Subscribers, 'search' | 'countMatching' | 'count'>;
  signUps: Pick<SignUps, 'count'>;
};

export type { SubscriberState };

export type SubscriberCounts = Record<SubscriberState, number>;

export async function searchSubscribers(
  { subscribers }: Pick<SearchDeps, 'subscribers'>,
  { page, perPage, ...what }: SubscriberSearch & { page: number; perPage: number },
): Promise<{ total: number; found: SubscriberRow[] }> {
  const [total, found] = await Promise.all([
    subscribers.countMatching(what),
    subscribers.search(what, { offset: (page - 1) * perPage, limit: perPage }),
  ]);
  return { total, found };
}

/** `waiting` are sign-ups that no confirmation mail was written for yet. */
export async function countSubscribers({
  subscribers,
  signUps,
}: SearchDeps): Promise<SubscriberCounts & { waiting: number }> {
  const count = (state: SubscriberState) => subscribers.count(state);
  const [pending, confirmed, unsubscribed, suppressed, waiting] = await Promise.all([
    count('pending'),
    count('confirmed'),
    count('unsubscribed'),
    count('suppressed'),
    signUps.count(),
  ]);
  return { pending, confirmed, unsubscribed, suppressed, waiting };
}

type Consent = { form: string; text: string | undefined; requestedAt: string | null };

export type SubscriberDetails = {
  subscriber: SubscriberRow;
  /** The proof of a confirmed subscriber; `confirmed_at` is in the row. */
  consent: Consent | undefined;
  /** A request that has not been confirmed, which anyone can make. */
  request: Consent | undefined;
  /** A pseudonym of the network of the last request, which is deleted after a day. */
  network: string | undefined;
  mails: NewsletterRecord['mails'];
};

type ReadDeps = {
  subscribers: Pick<Subscribers, 'getRecord'>;
  consentTexts: Pick<ConsentTexts, 'get'>;
};

export async function readSubscriber(
  { subscribers, consentTexts }: ReadDeps,
  id: string,
): Promise<SubscriberDetails | undefined> {
  const { subscriber, signUps, mails } = await subscribers.getRecord(id);
  if (!subscriber) return undefined;
  const getText = async (text: string) => (text ? (await consentTexts.get(text))?.text : undefined);
  const { form, consent_text, consent_requested_at, requested_at } = subscriber;
  const network = signUps.at(-1)?.network ?? mails.findLast(mail => mail.network)?.network;
  return {
    subscriber,
    consent: consent_requested_at
      ? { form, text: await getText(consent_text), requestedAt: consent_requested_at }
      : undefined,
    request: requested_at
      ? {
          form: subscriber.request_form,
          text: await getText(subscriber.request_consent_text),
          requestedAt: requested_at,
        }
      : undefined,
    network: network ?? undefined,
    mails: mails.toReversed(),
  };
}
