import { domainToUnicode } from 'node:url';
import { addressKey } from './naming.ts';

/** How somebody's address is known again, wherever it was written. */
export type Trace = {
  address: string;
  key: string;
  /** Stands wherever the address does, whatever its capitals: for choosing quickly. Unset where that is not so simple. */
  part: string | undefined;
  /** Whether this is the address itself, in any spelling. */
  isTheirs(email: string): boolean;
  /** Whether the address stands somewhere in the text, and not a longer one that it is a part of. */
  mentions(text: string): boolean;
  /** The same text without it. */
  redact(text: string): string;
};

const erasedMark = '[erased]';

/** Undefined for what is no address at all. Visitors may type what mail cannot be sent to, so little is refused. */
export function createTrace(given: string): Trace | undefined {
  const address = given.trim();
  const key = addressKey(address);
  const at = key.lastIndexOf('@');
  if (at < 1 || at === key.length - 1 || /[\s<>,;"()]|\p{Cc}/u.test(key)) return undefined;
  const local = key.slice(0, at);
  const host = key.slice(at + 1);
  const hosts = [...new Set([host, domainToUnicode(host) || host])].map(patternOf).join('|');
  const written = `${patternOf(local)}${signAt}(?:${hosts})`;
  // What is looked behind for comes after it was found: a text of nothing but dots must not take for ever.
  const pattern = new RegExp(`(?=${written}${notAfter})(?:${afterEncoded}|${notBefore})${written}`, 'giu');

  const isThere = (text: string) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  };
  // Between signs, for these are written in more than one way.
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

/** Spellings of one address differ from its key in more than capitals only where one of these stands. */
const uncertain = /[^\x21-\x7e]|%|\.$/;

/** In a link the sign is encoded; in a digest dots are in brackets, so that nothing becomes a link. */
const signAt = '(?:@|%40|\\uff20)';
/** Where none of these stands, no address does. */
export const mayHold = /@|%40|\uff20/;
const dot = '(?:\\.|\\[\\.\\])';

/** Another letter, or what joins two parts of a longer address: joann@, jo.ann@, o'ann@. */
const notBefore = "(?<![\\p{L}\\p{M}\\p{N}])(?<![\\p{L}\\p{M}\\p{N}][.+_'-]{1,8})";
/** In a link anything may be encoded, also what joins: jo%2Bann%40 is another's. */
const afterEncoded = '(?<=%(?!2b|2d|2e|27|5f)[0-9a-f]{2})';
/** Nor example.com.au, example.company, example.com-pany. */
const notAfter = '(?![\\p{L}\\p{M}\\p{N}]|[.-][\\p{L}\\p{N}]|\\[\\.\\][\\p{L}\\p{N}])';

function patternOf(text: string): string {
  return [...text]
    .map(sign => {
      if (/[a-z0-9]/.test(sign)) return sign;
      return `(?:${sign === '.' ? dot : quote(sign)}|${encoded(sign)})`;
    })
    .join('');
}

/** As a link has it: %2B. */
function encoded(sign: string): string {
  return [...Buffer.from(sign)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function quote(sign: string): string {
  return /[\p{L}\p{M}\p{N}@]/u.test(sign) ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`;
}
