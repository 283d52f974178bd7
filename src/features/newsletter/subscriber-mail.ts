import type { Mail } from '../../core/mail/compose-mail.ts';
import { createMailer, failIfRejected, type MailerSettings } from '../../core/mail/mailer.ts';
import {
  type FilesDeps,
  type Outcome,
  type Payload,
  type Receiver,
  retryLater,
} from '../../core/outbox/delivery.ts';
import { errorMessage } from '../../lib/error-message.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import type { ConfirmationPayload, NewsletterPayload } from './deliveries.ts';
import { receiverTypes } from './receiver-types.ts';

export const unsubscribePlaceholder = '{{leave}}';

/** Replaced by the sending process, which knows the site's address; the command that queues may not. */
export const sitePlaceholder = 'https://site.invalid';

export type SubscriberMailTexts = {
  sender: string;
  replyTo: string;
  confirmation: { subject: string; body: string };
};

export type Links = {
  site: string;
  confirm(token: string): string;
  unsubscribe(subscriber: string): string;
};

export type SubscriberMailDeps = FilesDeps & {
  texts(): SubscriberMailTexts;
  links: Links | undefined;
};

type SubscriberReceiver = Receiver<ConfirmationPayload | NewsletterPayload>;

export type SubscriberMail = {
  confirmations: SubscriberReceiver;
  newsletter: SubscriberReceiver;
  sendTest(payload: NewsletterPayload, signal: AbortSignal): Promise<Outcome>;
  close(): void;
};

export function createSubscriberMail(
  settings: { mail: MailerSettings; perSecond: number },
  deps: SubscriberMailDeps,
): SubscriberMail {
  const { send, ...transport } = createMailer(settings.mail, deps);
  const { texts, links } = deps;

  async function deliver(payload: Payload, { signal }: { signal: AbortSignal }): Promise<Outcome> {
    if (!isForSubscriber(payload))
      throw new Error(`${payload.kind} ${payload.reference} is not for a subscriber`);
    if (!links) return { kind: 'misconfigured', failure: { code: 'mail-without-site' } };
    if (!plainAddress.test(payload.to))
      return { kind: 'permanent', failure: { code: 'bad-address' }, isUnknownMailbox: false };
    let mail: Mail;
    try {
      mail = createMail(payload, texts(), links);
    } catch (error) {
      const [message = ''] = errorMessage(error).split('\n');
      return retryLater({ code: 'mail-not-composed', message }, false);
    }
    return failIfRejected(await send(mail, signal));
  }

  const shared = { ...transport, isAtMostOnce: true, deliver };
  return {
    confirmations: { ...shared, ...receiverTypes.confirmations, concurrency: 2, ...limitRate(5) },
    newsletter: { ...shared, ...receiverTypes.issues, concurrency: 5, ...limitRate(settings.perSecond) },
    sendTest: (payload, signal) => deliver(payload, { signal }),
    close: transport.close,
  };
}

/** A mail provider's limit holds for the first second, too. */
function limitRate(perSecond: number) {
  return { perSecond, burst: perSecond / 10 };
}

/** Defence in depth: no character that a mail server or a header could read as a second address. */
const plainAddress = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9.-]{1,253}$/i;

function createMail(
  payload: ConfirmationPayload | NewsletterPayload,
  texts: SubscriberMailTexts,
  links: Links,
): Mail {
  const { reference, receivedAt, to } = payload;
  return {
    reference,
    date: new Date(receivedAt),
    to,
    fromName: texts.sender,
    replyTo: { name: '', address: texts.replyTo },
    ...(payload.kind === 'confirmation'
      ? createConfirmationMail(payload, texts, links)
      : createNewsletterMail(payload, links)),
  };
}

function isForSubscriber(payload: Payload): payload is ConfirmationPayload | NewsletterPayload {
  return payload.kind === 'confirmation' || payload.kind === 'issue';
}

/** Contains no visitor input, because anyone can have it sent to any address. */
function createConfirmationMail(
  { token }: ConfirmationPayload,
  { confirmation }: SubscriberMailTexts,
  links: Links,
): Pick<Mail, 'subject' | 'text'> {
  const link = links.confirm(token);
  return {
    subject: confirmation.subject,
    // A function, because $& has a meaning in a replacement string.
    text: `${confirmation.body.replaceAll('{link}', () => link).trimEnd()}\n`,
  };
}

function createNewsletterMail(
  { subscriber, subject, html, text }: NewsletterPayload,
  links: Links,
): Pick<Mail, 'subject' | 'text' | 'html' | 'headers'> {
  const link = links.unsubscribe(subscriber);
  return {
    subject,
    text: text.replaceAll(unsubscribePlaceholder, () => link).replaceAll(sitePlaceholder, () => links.site),
    html: html
      .replaceAll(unsubscribePlaceholder, () => escapeHtml(link))
      .replaceAll(sitePlaceholder, () => escapeHtml(links.site)),
    headers: {
      // A person wrote it; List-Id alone prevents out-of-office replies.
      'Auto-Submitted': 'no',
      'List-Id': `<newsletter.${new URL(link).hostname}>`,
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
