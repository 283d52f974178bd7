import { BlockList, isIP } from 'node:net';

export type IpRange = { ip: string; prefix: number; family: 'ipv4' | 'ipv6' };

export function parseRange(text: string): IpRange | undefined {
  const [ip = '', prefix, ...rest] = text.split('/');
  const version = isIP(ip);
  const maxPrefix = version === 4 ? 32 : 128;
  if (!version || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined;
  const length = prefix === undefined ? maxPrefix : Number(prefix);
  return length <= maxPrefix ? { ip, prefix: length, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
}

// An IPv6 network gives a /64 to one household, which counts as one visitor. X-Forwarded-For is read from the right, past
// trusted proxies only: what stands further left may be forged.
export function createClientIp(trusted: IpRange[], onUntrusted?: () => void) {
  const list = new BlockList();
  for (const { ip, prefix, family } of trusted) list.addSubnet(ip, prefix, family);
  let hasWarned = false;
  const isTrusted = (ip: string) => list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

  return (peer: string | undefined, forwardedFor: string | undefined): string => {
    let client = normalizeIp(peer ?? '');
    if (forwardedFor && !hasWarned && !(isIP(client) && isTrusted(client))) {
      hasWarned = true;
      onUntrusted?.();
    }
    const hops = (forwardedFor ?? '').split(',').map(hop => normalizeIp(hop.trim()));
    while (trusted.length > 0 && isIP(client) && isTrusted(client)) {
      const next = hops.pop();
      if (!next || !isIP(next)) break;
      client = next;
    }
    return isIP(client) === 6 ? toNetwork(client) : client;
  };
}

/** Proxies add brackets, ports and zones; an IPv4-mapped address is the IPv4 address. */
function normalizeIp(ip: string): string {
  const bare = ip.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/%.*$/, '');
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(bare);
  return mapped?.[1] ?? bare;
}

function toNetwork(ip: string): string {
  const canonical = new URL(`http://[${ip}]`).hostname.slice(1, -1);
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
