import { parseHostName } from '../../lib/host-name.ts';

export type ParsedAddress = { address: string; normalizedAddress: string };

const maxLength = { address: 254, local: 64 } as const;

/** Also refuses `%`, `!` and `=?`, which some mail servers read as a route or as encoded text. */
export function parseAddress(text: string): ParsedAddress | undefined {
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
    ? { address, normalizedAddress: address.toLowerCase() }
    : undefined;
}

/** Gmail ignores dots, under either name. */
const dotless = ['gmail.com', 'googlemail.com'];

/** For counting only: without the tag after `+`. Where tags are separate mailboxes, they share one count. */
export function normalizeMailbox(address: string): string {
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
