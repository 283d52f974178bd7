import { domainToASCII } from 'node:url';
import type { Content } from '../content/schemas.ts';
import { dayMs, securityTxtPath } from '../server/security-txt.ts';
import { paths } from '../site/paths.ts';

/** RFC 9116 asks for less than a year, so that nobody writes to an address that was given up long ago. */
const validDays = 364;

/**
 * Whom to tell of a weakness, as RFC 9116 writes it. Addresses of the web must be absolute and https there: without such a
 * SITE_URL the two optional fields that hold one are left out.
 */
export function writeSecurityTxt(
  { email, securityContact }: Pick<Content['company'], 'email' | 'securityContact'>,
  siteUrl: string | undefined,
  now: Date,
): string {
  const expires = new Date(now.getTime() + validDays * dayMs).toISOString();
  const own = siteUrl?.startsWith('https://')
    ? [`Canonical: ${siteUrl}${securityTxtPath}`, `Policy: ${siteUrl}${paths.security}`]
    : [];
  const fields = [
    `Contact: ${mailto(securityContact ?? email)}`,
    `Expires: ${expires.slice(0, 19)}Z`,
    'Preferred-Languages: en',
    ...own,
  ];
  return `${fields.join('\n')}\n`;
}

/** An address may hold what a URI may not. Plus signs and their like stand as they are, for people to read. */
function mailto(address: string): string {
  const at = address.lastIndexOf('@');
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll('%2B', '+');
  return `mailto:${encoded}@${domainToASCII(host) || encodeURIComponent(host)}`;
}
