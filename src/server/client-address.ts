import { BlockList, isIP } from 'node:net';

export type AddressRange = { address: string; prefix: number; family: 'ipv4' | 'ipv6' };

export function parseRange(text: string): AddressRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  const maxPrefix = version === 4 ? 32 : 128;
  if (!version || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined;
  const length = prefix === undefined ? maxPrefix : Number(prefix);
  return length <= maxPrefix
    ? { address, prefix: length, family: version === 4 ? 'ipv4' : 'ipv6' }
    : undefined;
}

// An IPv6 network gives a /64 to one household, which counts as one visitor. X-Forwarded-For is read from the right, past
// trusted proxies only: what stands further left may be forged.
export function createClientAddress(trusted: AddressRange[], onUntrusted?: () => void) {
  const list = new BlockList();
  for (const { address, prefix, family } of trusted) list.addSubnet(address, prefix, family);
  let hasWarned = false;
  const isTrusted = (address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (peer: string | undefined, forwardedFor: string | undefined): string => {
    let client = plain(peer ?? '');
    if (forwardedFor && !hasWarned && !(isIP(client) && isTrusted(client))) {
      hasWarned = true;
      onUntrusted?.();
    }
    const hops = (forwardedFor ?? '').split(',').map(hop => plain(hop.trim()));
    while (trusted.length > 0 && isIP(client) && isTrusted(client)) {
      const next = hops.pop();
      if (!next || !isIP(next)) break;
      client = next;
    }
    return isIP(client) === 6 ? network(client) : client;
  };
}

/** Proxies add brackets, ports and zones; an IPv4-mapped address is the IPv4 address. */
function plain(address: string): string {
  const bare = address.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/%.*$/, '');
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(bare);
  return mapped?.[1] ?? bare;
}

function network(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = '', right] = canonical.split('::');
  const before = left ? left.split(':') : [];
  const after = right ? right.split(':') : [];
  const filled =
    right === undefined
      ? before
      : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  if (filled.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
    return filled
      .slice(6)
      .flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.');
  }
  return `${filled.slice(0, 4).join(':')}/64`;
}
