import { getDomain } from 'tldts-icann';
import { parseHostName } from '../../lib/host-name.ts';
import { parseUrl } from './parse-url.ts';

/** No domains of the public DNS: special-use names (RFC 6761 and later) and names of local networks. */
const reservedTlds = new Set(
  'alt arpa corp example home internal intranet invalid lan local localdomain localhost onion private test'.split(
    ' ',
  ),
);
const maxInputLength = 2000;

/**
 * The domain in what a visitor typed or pasted: a name, a URL or an email address, in ASCII and lower case, without `www`.
 * Undefined for IP addresses, single labels, public suffixes and names that the public DNS does not have.
 */
export function parseDomain(input: string): string | undefined {
  const host = parseHostName(readHost(input.trim().slice(0, maxInputLength)).replace(/\.$/, '')) ?? '';
  const tld = host.slice(host.lastIndexOf('.') + 1);
  if (!/^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(tld) || reservedTlds.has(tld)) return undefined;
  const registrable = getDomain(host);
  if (!registrable) return undefined;
  return host === `www.${registrable}` ? registrable : host;
}

/** What its owner has registered: `example.co.uk` of `shop.example.co.uk`. A public suffix is its own. */
export function getRegistrableDomain(host: string): string {
  return getDomain(host) ?? host;
}

/** Whether a host is one of the domains or below one of them. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some(domain => host === domain || host.endsWith(`.${domain}`));
}

function readHost(text: string): string {
  if (!/[/:@?#]/.test(text)) return text;
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  return url && /^https?:$/.test(url.protocol) ? url.hostname : '';
}
