import { domainToASCII } from 'node:url';
import { dayMs, securityTxtPath } from '../../core/http/check-security-txt.ts';
import type { Content } from '../../features.content.ts';
import { paths } from '../../ui/paths.ts';

const validDays = 364;

/** RFC 9116 requires absolute https addresses: without such a SITE_URL the two optional fields are left out. */
export function formatSecurityTxt(
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

function mailto(email: string): string {
  const at = email.lastIndexOf('@');
  const [name, host] = [email.slice(0, at), email.slice(at + 1)];
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll('%2B', '+');
  return `mailto:${encoded}@${domainToASCII(host) || encodeURIComponent(host)}`;
}
