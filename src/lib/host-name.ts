import { domainToASCII } from 'node:url';

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const maxLength = 253;

/** Only non-ASCII goes through the URL parser: in ASCII it would drop paths, decode % and normalise IP addresses. */
export function parseHostName(text: string): string | undefined {
  // Before the name is turned to ASCII, which takes the square of its length.
  if (text.length > maxLength || !/^[a-z0-9.\u0080-\u{10ffff}-]+$/iu.test(text)) return undefined;
  const name = /^[\x21-\x7e]+$/.test(text) ? text.toLowerCase() : domainToASCII(text);
  return name.length <= maxLength && name.split('.').every(one => label.test(one)) ? name : undefined;
}
