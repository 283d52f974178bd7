import { escapeHtml } from '../lib/escape-html.ts';
import type { ConfirmationParcel, FilesDeps, IssueParcel, Outcome, Parcel, Receiver } from './delivery.ts';
import type { Mail } from './mail/compose.ts';
import { createMailer, type MailerSettings } from './mail/mailer.ts';

export const leaveMark = '{{leave}}';

/** Replaced by the sending process, which knows the site's address; the command that queues may not. */
export const siteMark = 'https://site.invalid';

export type LetterWords = {
  sender: string;
  replyTo: string;
  /** `body` contains {link} where the confirmation page is named. */
  confirmation: { subject: string; body: string };
};

export type Links = {
  /** Without a trailing slash. */
  site: string;
  confirm(token: string): string;
  leave(subscriber: string): string;
};

export type LettersDeps = FilesDeps & {
  words(): LetterWords;
  /** Unset without SITE_URL. */
  links: Links | undefined;
};

export type Letters = {
  confirmations: Receiver;
  newsletter: Receiver;
  sendTest(parcel: IssueParcel, signal: AbortSignal): Promise<Outcome>;
  close(): void;
};

export function createLetters(
  settings: { mail: MailerSettings; perSecond: number },
  deps: LettersDeps,
): Letters {
  const { send, ...carrier } = createMailer(settings.mail, deps);
  const { words, links } = deps;

  async function deliver(parcel: Parcel, { signal }: { signal: AbortSignal }): Promise<Outcome> {
    if (!isLetter(parcel)) throw new Error(`${parcel.kind} ${parcel.reference} is no letter`);
    if (!links) return { kind: 'refused', why: 'SITE_URL is not set: letters have no site to lead to' };
    if (!plainAddress.test(parcel.to))
      return { kind: 'rejected', why: 'its address is none', isUnknown: false };
    let mail: Mail;
    try {
      mail = write(parcel, words(), links);
    } catch (error) {
      // Nothing was sent: once the owner has corrected the content, the letter can go.
      const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
      return { kind: 'failed', why: `could not be written: ${why}`, isAmbiguous: false };
    }
    return judge(await send(mail, signal));
  }

  const line = { ...carrier, isAtMostOnce: true, deliver };
  return {
    confirmations: { ...line, name: 'confirmations', concurrency: 2, perSecond: 5 },
    newsletter: { ...line, name: 'newsletter', concurrency: 5, perSecond: settings.perSecond },
    sendTest: (parcel, signal) => deliver(parcel, { signal }),
    close: carrier.close,
  };
}

/** Defence in depth: no character that a mail server or a header could read as a second address. */
const plainAddress = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9.-]{1,253}$/i;

function write(parcel: ConfirmationParcel | IssueParcel, words: LetterWords, links: Links): Mail {
  const { reference, receivedAt, to } = parcel;
  return {
    reference,
    date: new Date(receivedAt),
    to,
    fromName: words.sender,
    replyTo: { name: '', address: words.replyTo },
    ...(parcel.kind === 'confirmation'
      ? confirmationLetter(parcel, words, links)
      : issueLetter(parcel, links)),
  };
}

function isLetter(parcel: Parcel): parcel is ConfirmationParcel | IssueParcel {
  return parcel.kind === 'confirmation' || parcel.kind === 'issue';
}

/** What the server refuses for this one recipient is not retried. */
function judge(outcome: Outcome): Outcome {
  if (outcome.kind !== 'failed' || !outcome.recipient) return outcome;
  return { kind: 'rejected', why: outcome.why, isUnknown: outcome.recipient === 'unknown' };
}

/** Contains no visitor input, because anybody can have it sent to any address. */
function confirmationLetter(
  { token }: ConfirmationParcel,
  { confirmation }: LetterWords,
  links: Links,
): Pick<Mail, 'subject' | 'text'> {
  const link = links.confirm(token);
  return {
    subject: confirmation.subject,
    // A function, because $& has a meaning in a replacement string.
    text: `${confirmation.body.replaceAll('{link}', () => link).trimEnd()}\n`,
  };
}

function issueLetter(
  { subscriber, subject, html, text }: IssueParcel,
  links: Links,
): Pick<Mail, 'subject' | 'text' | 'html' | 'headers'> {
  const link = links.leave(subscriber);
  return {
    subject,
    text: text.replaceAll(leaveMark, () => link).replaceAll(siteMark, () => links.site),
    html: html
      .replaceAll(leaveMark, () => escapeHtml(link))
      .replaceAll(siteMark, () => escapeHtml(links.site)),
    headers: {
      // A person wrote it; List-Id alone prevents out-of-office replies.
      'Auto-Submitted': 'no',
      'List-Id': `<newsletter.${new URL(link).hostname}>`,
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
