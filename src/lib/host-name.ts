import { domainToASCII } from 'node:url';

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const longest = 253;

/**
 * A plain host name (RFC 1123) in ASCII and small letters, or undefined. Only other letters are converted: of ASCII the
 * URL parser would drop what follows a slash, decode percent signs and read numbers as an IP address.
 */
export function parseHostName(text: string): string | undefined {
  if (!/^[a-z0-9.\u0080-\u{10ffff}-]+$/iu.test(text)) return undefined;
  const name = /^[\x21-\x7e]+$/.test(text) ? text.toLowerCase() : domainToASCII(text);
  return name.length <= longest && name.split('.').every(one => label.test(one)) ? name : undefined;
}
