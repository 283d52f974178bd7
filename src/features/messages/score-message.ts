import { type MessageFields, messageFields } from './message-fields.ts';

/** The spam score: from the threshold on, a message is quarantined. A flood alone stays below, because others cause it. */
export const weights = {
  flood: 8,
  honeypot: 5,
  'honeypot text': 5,
  fast: 2,
  links: 2,
  markup: 4,
  repeats: 2,
  'many repeats': 4,
  campaign: 8,
} as const;
export const quarantineThreshold = 10;

export type SpamSignal = keyof typeof weights;
export const signals = Object.keys(weights) as SpamSignal[];

export type SubmissionSignals = {
  honeypot: string;
  formAgeMs: number | undefined;
  repeats: number | undefined;
  isFlood: boolean;
};

const fastMs = 2000;
const maxAutofillLength = 120;
const minLinks = 3;

/** An address is no link. */
const textFields = messageFields.filter(({ input }) => input !== 'email');

/** No signal quarantines by itself: honest people cause each of them, too. */
export function scoreMessage(
  fields: MessageFields,
  submission: SubmissionSignals,
): { score: number; reasons: SpamSignal[] } {
  const present: Record<SpamSignal, boolean> = {
    flood: submission.isFlood,
    honeypot: submission.honeypot.trim() !== '',
    'honeypot text': isBotText(submission.honeypot, fields.message),
    fast: submission.formAgeMs !== undefined && submission.formAgeMs < fastMs,
    ...findTextSignals(textFields.map(({ name }) => fields[name]).join('\n')),
    ...findRepeatSignals(submission.repeats ?? 0),
  };
  const reasons = signals.filter(name => present[name]);
  return { score: reasons.reduce((sum, name) => sum + weights[name], 0), reasons };
}

/** Autofill enters names, numbers and addresses; only a bot writes text into the honeypot. */
function isBotText(honeypot: string, message: string): boolean {
  const text = honeypot.trim();
  if (text === '') return false;
  if (text.length > maxAutofillLength || text === message.trim()) return true;
  return /https?:\/\/|www\./i.test(text) || hasMarkup(text);
}

function findTextSignals(text: string): Pick<Record<SpamSignal, boolean>, 'links' | 'markup'> {
  const found = findUrls(text);
  // In bytes, because a letter of some scripts says as much as a word of others.
  const isMostlyLinks = Buffer.byteLength(found.join('')) * 3 > Buffer.byteLength(text.trim());
  return { links: found.length >= minLinks && isMostlyLinks, markup: hasMarkup(text) };
}

function hasMarkup(text: string): boolean {
  return /<a\s[^<>]{0,200}href|\[(?:url|link)[=\]]/i.test(text);
}

function findRepeatSignals(
  earlier: number,
): Pick<Record<SpamSignal, boolean>, 'repeats' | 'many repeats' | 'campaign'> {
  const occurrence = earlier + 1;
  return {
    repeats: occurrence >= 3 && occurrence < 10,
    'many repeats': occurrence >= 10 && occurrence < 50,
    campaign: occurrence >= 50,
  };
}

/** With or without a scheme; not in email addresses. Every repetition is bounded, so that no text takes long (ReDoS). */
const urlPattern =
  /(?:https?:\/\/|(?<![\w.@-])www\.|(?<![\w.@-])(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24}(?![\w@-]))[\w.~:/?#@!$&'()*+,;=%-]*/gi;

const urlHint = /\w\.\w|:\/\//;

function findUrls(text: string): string[] {
  return (urlHint.test(text) && text.match(urlPattern)) || [];
}

function removeUrls(text: string): string {
  return urlHint.test(text) ? text.replaceAll(urlPattern, ' ') : text;
}

/** Many people write shorter texts, such as 'please call me back', in the same words. */
const minLetters = 40;

/** Normalising thousands of combining marks on one letter takes seconds. The two letters become such marks in NFKC. */
const stackedAccents = /[\p{M}\uff9e\uff9f]{16,}/gu;

/** Leaves out URLs, digits and punctuation, which spam varies. */
export function normalizeForRepeats(message: string): string | undefined {
  const letters = removeUrls(message)
    .replaceAll(stackedAccents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, '');
  return letters.length < minLetters ? undefined : letters;
}

export const meanings: Record<SpamSignal, string> = {
  flood: 'it arrived during a flood of messages',
  honeypot: 'the hidden honeypot field was filled in',
  'honeypot text': 'the honeypot contains a link, a long text, or the message itself',
  fast: 'it was sent within two seconds of opening the form',
  links: 'a third or more of it is links',
  markup: 'it contains link markup as used in forums',
  repeats: 'the same text was sent at least three times within a day',
  'many repeats': 'the same text was sent at least ten times within a day',
  campaign: 'the same text was sent at least fifty times within a day',
};

export function explainReasons(reason: string): string[] {
  return reason
    .split(', ')
    .filter(Boolean)
    .map(name => (Object.hasOwn(meanings, name) ? meanings[name as SpamSignal] : name));
}
