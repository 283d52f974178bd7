import { domainToASCII } from 'node:url';
import { parseHostName } from './host-name.ts';

export type ParsedAddress = { address: string; lowerCaseAddress: string };

const maxLength = { address: 254, local: 64 } as const;

/** As it stands in texts and links. */
export const atSign = '(?:@|%40|\\uff20)';

/** For newsletters and acknowledgements. Also refuses `%`, `!` and `=?`, which some mail servers read as a route or as encoded text. */
export function parseDeliverableAddress(text: string): ParsedAddress | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength.address) return undefined;
  const [local = '', domain = '', ...more] = trimmed.split('@');
  if (more.length > 0 || local.length > maxLength.local || !localShape.test(local) || local.includes('=?')) {
    return undefined;
  }
  const host = parseDomain(domain);
  if (!host) return undefined;
  const address = `${local}@${host}`;
  return address.length <= maxLength.address
    ? { address, lowerCaseAddress: address.toLowerCase() }
    : undefined;
}

/** Gmail ignores dots, under either name. */
const dotless = ['gmail.com', 'googlemail.com'];

/** For counting only: without the tag after `+`. Where tags are separate mailboxes, they share one count. */
export function canonicalizeMailbox(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const untagged = local.replace(/(?<=.)\+.*$/, '');
  return dotless.includes(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}

const localShape = /^[a-z0-9#$&'*+/=?^_`{|}~-]+(\.[a-z0-9#$&'*+/=?^_`{|}~-]+)*$/i;

const domainShape = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u;

function parseDomain(domain: string): string | undefined {
  if (!domainShape.test(domain)) return undefined;
  const host = parseHostName(domain);
  return host && /\.[a-z][^.]*$/.test(host) ? host : undefined;
}

/** For comparing only. Visitors may type addresses that mail cannot be sent to, so nothing is refused. */
export function foldAddress(address: string): string {
  const whole = address.trim().normalize('NFC').toLowerCase();
  const at = whole.lastIndexOf('@');
  if (at < 1) return whole;
  const host = whole.slice(at + 1).replace(/\.$/, '');
  return `${whole.slice(0, at)}@${domainToASCII(host) || host}`;
}

/** For the contact form. Lenient, because a message with a wrong address is better than none. */
export function isPlausibleAddress(email: string): boolean {
  if (email.length > 254 || /[\s<>,;:"()[\]\\\p{Cc}]/u.test(email)) return false;
  const at = email.indexOf('@');
  return at > 0 && parseHostName(email.slice(at + 1)) !== undefined;
}

const headerMailbox = /^([a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64})@([^\s@<>()[\]\\,;:"]{1,253})$/iu;

/** For `From`, `To` and `Reply-To`: any mailbox that can stand there without quotes, its host in ASCII. */
export function parseMailHeaderAddress(text: string): string | undefined {
  const [, local, domain] = headerMailbox.exec(text) ?? [];
  const host = domain && domainToASCII(domain);
  return host && /^[a-z0-9.-]+$/.test(host) ? `${local}@${host}` : undefined;
}
