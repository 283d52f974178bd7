export type Network = { name: string; limitFactor: number };

/** The narrowest first: an IPv4 address, or an IPv6 /64 with its /56 (a household's) and /48 (a company's). */
export function listNetworks(ip: string): Network[] {
  const [a, b, c, d] = /^([\da-f]+):([\da-f]+):([\da-f]+):([\da-f]+)\/64$/.exec(ip)?.slice(1) ?? [];
  if (d === undefined) return [{ name: ip, limitFactor: 1 }];
  const upper = (Number.parseInt(d, 16) >> 8).toString(16);
  return [
    { name: ip, limitFactor: 1 },
    { name: `${a}:${b}:${c}:${upper}/56`, limitFactor: 2 },
    { name: `${a}:${b}:${c}/48`, limitFactor: 4 },
  ];
}

/** The widest network that one party usually holds: an IPv6 /48, or an IPv4 /24. */
export function widestNetwork(ip: string): string {
  const [, block] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(ip) ?? [];
  return block ? `${block}.0/24` : (listNetworks(ip).at(-1)?.name ?? '');
}
