import { formatMoment, type Moment } from '../../../lib/format-time.ts';
import type { SubscriberDetails } from '../read-subscribers.ts';

type Row = SubscriberDetails['subscriber'];

export function toLine(row: Row, now: Date) {
  const { id, address, state, suppressed_at, unsubscribed_at, confirmed_at, requested_at } = row;
  return {
    id,
    address,
    state,
    reason: state === 'suppressed' ? reasons[row.suppression_reason] : '',
    form: describeForm(state === 'pending' ? row.request_form : row.form),
    changedAt: toMoment(suppressed_at ?? unsubscribed_at ?? confirmed_at ?? requested_at, now),
  };
}

export function toDetails(details: SubscriberDetails, now: Date) {
  const { subscriber, consent, request, network, mails } = details;
  return {
    ...toLine(subscriber, now),
    consent: toConsent(consent, now),
    request: toConsent(request, now),
    confirmedAt: toMoment(subscriber.confirmed_at, now),
    unsubscribedAt: toMoment(subscriber.unsubscribed_at, now),
    suppressedAt: toMoment(subscriber.suppressed_at, now),
    network: network ?? null,
    mails: mails.map(({ kind, name, state, settled_at, created_at }) => ({
      text: kind === 'confirmation' ? 'Email that asks to confirm' : `Issue ${name ?? ''}`.trim(),
      state,
      at: formatMoment(settled_at ?? created_at, now),
    })),
  };
}

function toConsent(consent: SubscriberDetails['consent'], now: Date) {
  if (!consent) return null;
  const { form, text, requestedAt } = consent;
  return { form: describeForm(form), text: text ?? null, requestedAt: toMoment(requestedAt, now) };
}

function toMoment(iso: string | null, now: Date): Moment | null {
  return iso === null ? null : formatMoment(iso, now);
}

const reasons: Record<Row['suppression_reason'], string> = {
  '': '',
  bounce: 'mail came back',
  complaint: 'complained',
  owner: 'stopped by you',
  erased: 'erased',
};

const forms: Record<string, string> = {
  home: 'home page',
  footer: 'foot of a page',
  newsletter: 'newsletter page',
  import: 'imported by you',
};

function describeForm(form: string): string {
  return forms[form] ?? form;
}
