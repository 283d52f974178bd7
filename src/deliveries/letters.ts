import type { Attempt, ConfirmationParcel, IssueParcel, Outcome, Parcel, Receiver } from './delivery.ts';
import { confirmationLetter } from './letters/confirmation.ts';
import { issueLetter } from './letters/issue.ts';
import type { LetterWords, Links } from './letters/words.ts';
import type { Mail } from './mail/compose.ts';
import { createMailer, type MailerDeps, type MailerSettings } from './mail/mailer.ts';

export { leaveMark, siteMark } from './letters/issue.ts';
export type { LetterWords, Links } from './letters/words.ts';

export type LettersSettings = {
  mail: MailerSettings;
  /** Mails of an issue begun per second. */
  perSecond: number;
};

export type LettersDeps = MailerDeps & {
  words(): LetterWords;
  /** Unset where mail goes out but nobody has said where the site is. */
  links: Links | undefined;
};

export type Letters = {
  confirmations: Receiver;
  newsletter: Receiver;
  /** An issue for the owner's eyes, past the outbox. */
  sendTest(parcel: IssueParcel, signal: AbortSignal): Promise<Outcome>;
  close(): void;
};

/** Letters to readers: by the same server as mails to the owner, and where there is none as files beside them. */
export function createLetters(settings: LettersSettings, deps: LettersDeps): Letters {
  const { place, isUpserting, lowSpace, find, send, close } = createMailer(settings.mail, deps);
  const { words, links } = deps;

  async function deliver(parcel: Parcel, { signal }: Pick<Attempt, 'signal'>): Promise<Outcome> {
    if (!isLetter(parcel)) throw new Error(`${parcel.kind} ${parcel.reference} is no letter`);
    if (!links) return { kind: 'refused', why: 'SITE_URL is not set: letters have no site to lead to' };
    if (!plainAddress.test(parcel.to))
      return { kind: 'rejected', why: 'its address is none', isUnknown: false };
    let mail: Mail;
    try {
      mail = write(parcel, words(), links);
    } catch (error) {
      // Words that cannot be read are mended and then sent: nothing has left, so nothing is unclear.
      const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
      return { kind: 'failed', why: `could not be written: ${why}`, isAmbiguous: false };
    }
    return judge(await send(mail, signal));
  }

  const line = {
    place,
    isUpserting,
    isAtMostOnce: true,
    ...(lowSpace && { lowSpace }),
    deliver,
    ...(find && {
      find: ({ reference, receivedAt }: Parcel) => find({ reference, date: new Date(receivedAt) }),
    }),
    close,
  };
  return {
    confirmations: { ...line, name: 'confirmations', concurrency: 2, perSecond: 5 },
    newsletter: { ...line, name: 'newsletter', concurrency: 5, perSecond: settings.perSecond },
    sendTest: (parcel, signal) => deliver(parcel, { signal }),
    close,
  };
}

/** Whatever let it in: no sign that a mail server or a header could take for more than one address. */
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

/** What a mail server will not take for this one reader, no later attempt brings there. */
function judge(outcome: Outcome): Outcome {
  if (outcome.kind !== 'failed' || !outcome.recipient) return outcome;
  return { kind: 'rejected', why: outcome.why, isUnknown: outcome.recipient === 'unknown' };
}
