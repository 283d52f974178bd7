import type { ReceivedFields } from './receive-message.ts';
import { findWebAddresses } from './web-addresses.ts';

/**
 * What each signal adds. From the threshold on, a message is quarantined for a person to look at. A flood is caused by
 * others: it quarantines nothing alone, and everything that has one more signal.
 */
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

/** What is known of the sending of a message. */
export type Sending = {
  /** What stood in the field that nobody sees. */
  trap: string;
  /** For how long its form had been open, where that is known. */
  openMs: number | undefined;
  /** How often the same words were stored before, where that is known. */
  repeats: number | undefined;
  /** Whether more was stored of late than people send. */
  isFlood: boolean;
};

export type Score = { score: number; reasons: Signal[] };

/** In ms: nobody reads a form, fills it in and sends it in less. */
const fastMs = 2000;
/** The longest that a browser or a password manager would fill in by itself is a postal address. */
const longestFilled = 120;
const fewestLinks = 3;

/** How much a message looks like spam, and why. No signal suffices by itself: each is also caused by honest people. */
export function scoreMessage(fields: ReceivedFields, sending: Sending): Score {
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

/** A program that fills in for a person knows names, numbers and addresses; only a robot writes its message there. */
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

/** Links as they are written for guest books and forums, which no person types into a form. */
function hasMarkup(text: string): boolean {
  return /<a\s[^<>]{0,200}href|\[(?:url|link)[=\]]/i.test(text);
}

/** One of the three: a text that many send weighs more than one that a few do. */
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
