/** A network that a client is counted in; `share` is how many single clients' allowances it has. */
export type Network = { name: string; share: number };

/**
 * The networks of a client, the narrowest first: an IPv4 address, or an IPv6 /64 with the /56 that providers hand to a
 * household and the /48 that they hand to a company. The shares keep one /48 below the limit that is for everyone.
 */
export function networksOf(address: string): Network[] {
  const [a, b, c, d] = /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)\/64$/.exec(address)?.slice(1) ?? [];
  if (d === undefined) return [{ name: address, share: 1 }];
  const upper = (Number.parseInt(d, 16) >> 8).toString(16);
  return [
    { name: address, share: 1 },
    { name: `${a}:${b}:${c}:${upper}/56`, share: 2 },
    { name: `${a}:${b}:${c}/48`, share: 4 },
  ];
}

/**
 * The widest network that one party usually holds whole: turns are taken by it. A /48 has 65,536 networks of /64, and a
 * /24 is the smallest block of IPv4 addresses that is routed by itself.
 */
export function widestNetwork(address: string): string {
  const [, block] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? [];
  return block ? `${block}.0/24` : (networksOf(address).at(-1)?.name ?? '');
}
