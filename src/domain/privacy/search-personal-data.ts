import { domainToUnicode } from 'node:url';
import { addressKey } from './pseudonym.ts';

export type Trace = {
  address: string;
  key: string;
  /** A part of the address for a quick check, case-insensitive; unset where spellings differ too much. */
  part: string | undefined;
  isTheirs(email: string): boolean;
  /** Not true for a longer address that contains this one. */
  mentions(text: string): boolean;
  redact(text: string): string;
};

const erasedMark = '[erased]';

/** Visitors may type addresses that mail cannot be sent to, so little is refused. */
export function createTrace(given: string): Trace | undefined {
  const address = given.trim();
  const key = addressKey(address);
  const at = key.lastIndexOf('@');
  if (at < 1 || at === key.length - 1 || /[\s<>,;"()]|\p{Cc}/u.test(key)) return undefined;
  const local = key.slice(0, at);
  const host = key.slice(at + 1);
  const hosts = [...new Set([host, domainToUnicode(host) || host])].map(patternOf).join('|');
  const written = `${patternOf(local)}${signAt}(?:${hosts})`;
  // The lookahead comes first: with a lookbehind first, a text of dots would take quadratic time.
  const pattern = new RegExp(`(?=${written}${notAfter})(?:${afterEncoded}|${notBefore})${written}`, 'giu');

  const isThere = (text: string) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  };
  // Between punctuation, which is written in more than one way.
  const [longest] = local.split(/[^a-z0-9]+/).toSorted((one, other) => other.length - one.length);
  const part = (/^[\x21-\x7e]+$/.test(local) && longest) || undefined;
  function mentions(text: string): boolean {
    if (!mayHold.test(text) || (part && !text.toLowerCase().includes(part))) return false;
    return isThere(text) || (uncertain.test(text) && isThere(text.normalize('NFC')));
  }
  return {
    address,
    key,
    part,
    isTheirs(email) {
      const plain = email.trim().toLowerCase();
      return plain === key || (uncertain.test(plain) && addressKey(email) === key);
    },
    mentions,
    redact(text) {
      if (!mentions(text)) return text;
      const redacted = text.replaceAll(pattern, erasedMark);
      return mentions(redacted) ? redacted.normalize('NFC').replaceAll(pattern, erasedMark) : redacted;
    },
  };
}

/** Only these make a spelling differ from its key in more than case. */
const uncertain = /[^\x21-\x7e]|%|\.$/;

/** Encoded in links; dots are bracketed in digests. */
const signAt = '(?:@|%40|\\uff20)';
export const mayHold = /@|%40|\uff20/;
const dot = '(?:\\.|\\[\\.\\])';

/** A letter, or what joins parts of a longer address: joann@, jo.ann@, o'ann@. */
const notBefore = "(?<![\\p{L}\\p{M}\\p{N}])(?<![\\p{L}\\p{M}\\p{N}][.+_'-]{1,8})";
/** Anything may be encoded in a link, also what joins: jo%2Bann%40 is another address. */
const afterEncoded = '(?<=%(?!2b|2d|2e|27|5f)[0-9a-f]{2})';
/** Nor example.com.au, example.company, example.com-pany. */
const notAfter = '(?![\\p{L}\\p{M}\\p{N}]|[.-][\\p{L}\\p{N}]|\\[\\.\\][\\p{L}\\p{N}])';

function patternOf(text: string): string {
  return [...text]
    .map(sign => {
      if (/[a-z0-9]/.test(sign)) return sign;
      return `(?:${sign === '.' ? dot : RegExp.escape(sign)}|${encoded(sign)})`;
    })
    .join('');
}

function encoded(sign: string): string {
  return [...Buffer.from(sign)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
