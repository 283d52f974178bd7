import type { MessageRow } from '../../core/database/tables.ts';
import { replaceControls } from '../../lib/control-characters.ts';
import { parseMailHeaderAddress } from '../../lib/email-address.ts';

const maxQuoteLength = 1500;

type Reply = Pick<MessageRow, 'reference' | 'email'> & { quote?: string };

/** Opens the owner's mail program. Undefined where the visitor left no address that mail can be sent to. */
export function createReplyUrl({ reference, email, quote }: Reply): string | undefined {
  const to = parseMailHeaderAddress(email.trim());
  if (!to) return undefined;
  const at = to.lastIndexOf('@');
  const subject = `subject=${encodeURIComponent(`Re: your message ${reference}`)}`;
  const body = quote?.trim() ? `&body=${encodeURIComponent(`\r\n\r\n${quoteText(quote)}`)}` : '';
  return `mailto:${encodeURIComponent(to.slice(0, at))}${to.slice(at)}?${subject}${body}`;
}

/** A longer one is cut: mail programs do not open a URL of any length. */
function quoteText(text: string): string {
  const isCut = text.length > maxQuoteLength;
  // Half a surrogate pair cannot be encoded.
  const shown = text.slice(0, isCut ? maxQuoteLength - 1 : undefined).replace(/[\ud800-\udbff]$/, '');
  const lines = `${shown.trimEnd()}${isCut ? '…' : ''}`.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return lines.map(line => `> ${replaceControls(line)}`.trimEnd()).join('\r\n');
}
