import { domainToUnicode } from 'node:url';
import { atSign, foldAddress } from '../lib/email-address.ts';

export type AddressMatcher = {
  address: string;
  foldedAddress: string;
  /** A part of the address for a quick check, case-insensitive; unset where spellings differ too much. */
  part: string | undefined;
  belongsToPerson(email: string): boolean;
  mentions(text: string): boolean;
  redact(text: string): string;
};

const erasedMark = '[erased]';

/** Visitors may type addresses that mail cannot be sent to, so little is refused. */
export function createAddressMatcher(given: string): AddressMatcher | undefined {
  const address = given.trim();
  const foldedAddress = foldAddress(address);
  const at = foldedAddress.lastIndexOf('@');
  if (at < 1 || at === foldedAddress.length - 1 || /[\s<>,;"()]|\p{Cc}/u.test(foldedAddress))
    return undefined;
  const local = foldedAddress.slice(0, at);
  const host = foldedAddress.slice(at + 1);
  const hosts = [...new Set([host, domainToUnicode(host) || host])].map(buildPattern).join('|');
  const spelling = `${buildPattern(local)}${atSign}(?:${hosts})`;
  // The lookahead comes first: with a lookbehind first, a text of dots would take quadratic time.
  const pattern = new RegExp(`(?=${spelling}${notAfter})(?:${afterEncoded}|${notBefore})${spelling}`, 'giu');

  const matches = (text: string) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  };
  const [longest] = local.split(/[^a-z0-9]+/).toSorted((one, other) => other.length - one.length);
  const part = (/^[\x21-\x7e]+$/.test(local) && longest) || undefined;
  function mentions(text: string): boolean {
    if (!mayContainAddress.test(text) || (part && !text.toLowerCase().includes(part))) return false;
    return matches(text) || (needsNormalizing.test(text) && matches(text.normalize('NFC')));
  }
  return {
    address,
    foldedAddress,
    part,
    belongsToPerson(email) {
      const plain = email.trim().toLowerCase();
      return (
        plain === foldedAddress || (needsNormalizing.test(plain) && foldAddress(email) === foldedAddress)
      );
    },
    mentions,
    redact(text) {
      if (!mentions(text)) return text;
      const redacted = text.replaceAll(pattern, erasedMark);
      return mentions(redacted) ? redacted.normalize('NFC').replaceAll(pattern, erasedMark) : redacted;
    },
  };
}

export const mayContainAddress = new RegExp(atSign);
const needsNormalizing = /[^\x21-\x7e]|%|\.$/;

const dot = '(?:\\.|\\[\\.\\])';

/** A letter, or what joins parts of a longer address: joann@, jo.ann@, o'ann@. */
const notBefore = "(?<![\\p{L}\\p{M}\\p{N}])(?<![\\p{L}\\p{M}\\p{N}][.+_'-]{1,8})";
/** Anything may be encoded in a link, also what joins: jo%2Bann%40 is another address. */
const afterEncoded = '(?<=%(?!2b|2d|2e|27|5f)[0-9a-f]{2})';
/** A longer host is another one: example.com.au, example.company, example.com-pany. */
const notAfter = '(?![\\p{L}\\p{M}\\p{N}]|[.-][\\p{L}\\p{N}]|\\[\\.\\][\\p{L}\\p{N}])';

function buildPattern(text: string): string {
  return [...text]
    .map(character => {
      if (/[a-z0-9]/.test(character)) return character;
      return `(?:${character === '.' ? dot : RegExp.escape(character)}|${percentEncode(character)})`;
    })
    .join('');
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
