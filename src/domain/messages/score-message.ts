export type ReceivedFields = { name: string; email: string; message: string; service: string };

/** From the threshold on, a message is quarantined. A flood is caused by others: it needs one more signal. */
export const weights = {
  flood: 8,
  trap: 5,
  'trap text': 5,
  fast: 2,
  links: 2,
  markup: 4,
  repeats: 2,
  'many repeats': 4,
  campaign: 8,
} as const;
export const threshold = 10;

export type Signal = keyof typeof weights;
/** In the order of the table; the words of `quarantine_reason`. */
export const signals = Object.keys(weights) as Signal[];

export type Sending = {
  /** The honeypot's content. */
  trap: string;
  /** How long the form had been open, if known. */
  openMs: number | undefined;
  /** How often the same words were stored before, if known. */
  repeats: number | undefined;
  isFlood: boolean;
};

const fastMs = 2000;
/** The longest text that a browser's autofill would enter is a postal address. */
const longestFilled = 120;
const fewestLinks = 3;

/** No signal suffices by itself: each is also caused by honest people. */
export function scoreMessage(fields: ReceivedFields, sending: Sending): { score: number; reasons: Signal[] } {
  const given: Record<Signal, boolean> = {
    flood: sending.isFlood,
    trap: sending.trap.trim() !== '',
    'trap text': isWritten(sending.trap, fields.message),
    fast: sending.openMs !== undefined && sending.openMs < fastMs,
    ...judgeText([fields.name, fields.service, fields.message].join('\n')),
    ...judgeRepeats(sending.repeats ?? 0),
  };
  const reasons = signals.filter(name => given[name]);
  return { score: reasons.reduce((sum, name) => sum + weights[name], 0), reasons };
}

/** Autofill enters names, numbers and addresses; only a bot writes its message there. */
function isWritten(trap: string, message: string): boolean {
  const text = trap.trim();
  if (text === '') return false;
  if (text.length > longestFilled || text === message.trim()) return true;
  return /https?:\/\/|www\./i.test(text) || hasMarkup(text);
}

function judgeText(text: string): Pick<Record<Signal, boolean>, 'links' | 'markup'> {
  const found = findWebAddresses(text);
  // In bytes, because a letter of some scripts says as much as a word of others.
  const isMostly = Buffer.byteLength(found.join('')) * 3 > Buffer.byteLength(text.trim());
  return { links: found.length >= fewestLinks && isMostly, markup: hasMarkup(text) };
}

/** Link markup of guest books and forums, which no person types into a form. */
function hasMarkup(text: string): boolean {
  return /<a\s[^<>]{0,200}href|\[(?:url|link)[=\]]/i.test(text);
}

function judgeRepeats(
  before: number,
): Pick<Record<Signal, boolean>, 'repeats' | 'many repeats' | 'campaign'> {
  const time = before + 1;
  return {
    repeats: time >= 3 && time < 10,
    'many repeats': time >= 10 && time < 50,
    campaign: time >= 50,
  };
}

/** With or without a scheme; not in e-mail addresses. Every repetition is bounded, so that no text takes long (ReDoS). */
const webAddress =
  /(?:https?:\/\/|(?<![\w.@-])www\.|(?<![\w.@-])(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24}(?![\w@-]))[\w.~:/?#@!$&'()*+,;=%-]*/gi;

/** A quick check: most messages contain no address. */
const hint = /\w\.\w|:\/\//;

function findWebAddresses(text: string): string[] {
  return (hint.test(text) && text.match(webAddress)) || [];
}

export function withoutWebAddresses(text: string): string {
  return hint.test(text) ? text.replaceAll(webAddress, ' ') : text;
}
