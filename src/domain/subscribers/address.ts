import { parseHostName } from '../../lib/host-name.ts';

/** `address` is what mail is sent to; `key` is for comparing alone: two spellings of one address have the same. */
export type ParsedAddress = { address: string; key: string };

/** Of SMTP (RFC 5321): what is longer reaches nobody. */
const longest = { address: 254, local: 64 } as const;

/**
 * One address that mail can be sent to, or undefined. Nothing gets through that could begin a second recipient, a header
 * or a display name. Refused, too, is what is allowed but read as a route or as encoded text by some mail servers:
 * `%`, `!` and `=?`.
 */
export function parseAddress(text: string): ParsedAddress | undefined {
  const trimmed = text.trim();
  // Before anything is made of it: what is this long is no address, however it is encoded.
  if (trimmed.length > longest.address) return undefined;
  const [local = '', domain = '', ...more] = trimmed.split('@');
  if (more.length > 0 || local.length > longest.local || !localShape.test(local) || local.includes('=?')) {
    return undefined;
  }
  const host = parseDomain(domain);
  if (!host) return undefined;
  const address = `${local}@${host}`;
  return address.length <= longest.address ? { address, key: address.toLowerCase() } : undefined;
}

/** Providers that deliver to one mailbox however an address is dotted, under either name. */
const dotless = ['gmail.com', 'googlemail.com'];

/**
 * For counting alone: the mailbox that an address is delivered to, without the tag that many providers allow after a `+`.
 * Where a provider takes tags for names of their own, two mailboxes share one count.
 */
export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const untagged = local.replace(/(?<=.)\+.*$/, '');
  return dotless.includes(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}

const localShape = /^[a-z0-9#$&'*+/=?^_`{|}~-]+(\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/i;

/** Letters, digits and marks of any script, for domains that are not ASCII. No sign, and nothing invisible. */
const domainShape = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u;

function parseDomain(domain: string): string | undefined {
  if (!domainShape.test(domain)) return undefined;
  const host = parseHostName(domain);
  // A last label of digits is a part of an IP address.
  return host && /\.[a-z][^.]*$/.test(host) ? host : undefined;
}
