import { replaceControls } from '../../lib/control-characters.ts';
import { atSign } from '../../lib/email-address.ts';

const maxLength = 300;

/** Text from outside, on one line, without what a terminal would interpret, and short. */
export function cleanText(text: string): string {
  // Runs of control characters become one space, so more is read than is kept.
  const start = cutText(text.slice(0, 8 * maxLength).toWellFormed(), 4 * maxLength);
  return cutText(replaceControls(start).trim(), maxLength);
}

/** A local part has at most 64 characters, which a link may encode as 192. */
const addresses = new RegExp(`[^\\s<>,;"()]{1,192}${atSign}[^\\s<>,;"()]*`, 'giu');

/** An email address is shown whole or not at all: a search for it would not find a part. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length - 1;
  const cut = text
    .matchAll(addresses)
    .find(({ 0: { length }, index }) => index < end && index + length > end);
  return `${text.slice(0, cut?.index ?? end).toWellFormed()}…`;
}
