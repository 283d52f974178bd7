import PostalMime from 'postal-mime';
import { findControlCharacters, findUnsafeBytes } from '../../tests/harness/injection-checks.ts';

/** An apostrophe is all that formula escaping may add. */
export function withoutApostrophes(text: string): string {
  return text.replaceAll("'", '');
}

/** Log lines that are not one JSON object each, or contain control characters. */
export function findForgedLogLines(lines: readonly string[]): string[] {
  return lines.filter(line => {
    if (line.indexOf('\n') !== line.length - 1 || findControlCharacters(line).length > 0) return true;
    try {
      const { time, level, event } = JSON.parse(line);
      return [time, level, event].some(value => typeof value !== 'string');
    } catch {
      return true;
    }
  });
}

/** A mail as a mail client parses it, and its raw form. */
export async function parseMail(raw: string) {
  const mail = await PostalMime.parse(raw);
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
  return {
    names: head
      .split('\r\n')
      .filter(line => !/^[ \t]/.test(line))
      .map(line => line.split(':')[0] ?? '')
      .sort(),
    parsedNames: mail.headers.map(({ key }) => key).sort(),
    from: mail.from?.address,
    to: mail.to?.map(({ address }) => address),
    others: [...(mail.cc ?? []), ...(mail.bcc ?? [])],
    replyTo: mail.replyTo,
    subject: mail.subject,
    text: mail.text ?? '',
    isPlain: !mail.html && mail.attachments.length === 0 && /^content-type: text\/plain;/im.test(head),
    wire: findUnsafeBytes(raw),
  };
}
