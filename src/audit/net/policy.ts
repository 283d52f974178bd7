import { connect, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export type AuditPort = 443 | 80 | 25;

/** Decides where an audit may connect. Tests hand in one that allows this machine and maps the three ports. */
export type NetworkPolicy = {
  isAllowedAddress(ip: string): boolean;
  /** False for hosts whose owners opted out, to which a redirect or an MX record may lead. */
  isAllowedHost?(host: string): boolean;
  /** Addresses of hosts that are not looked up, as in a hosts file. */
  hosts?: Readonly<Record<string, string>> | undefined;
  ports: Readonly<Record<AuditPort, number>>;
  /** The one call that opens a connection to an audited server. `host` is an IP address, never a name. */
  connect(options: { host: string; port: number }): Socket;
  /** Certificates of the authorities to trust; those that come with Node (Mozilla's) if not given. */
  trustedRoots?: string[] | undefined;
};

export const publicPolicy: NetworkPolicy = {
  isAllowedAddress: isGlobalUnicast,
  ports: { 443: 443, 80: 80, 25: 25 },
  connect: options => connect({ ...options, autoSelectFamily: false }),
};

/** Services of a host to its guests at a public address: Azure's. */
const platformAddresses = ['168.63.129.16'];

const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Only addresses of the public internet. `range` knows private, shared, mapped, translated and tunnelled ranges; IPv6
 * outside 2000::/3 is refused as a whole, because `range` takes old forms such as ::127.0.0.1 for unicast.
 */
export function isGlobalUnicast(ip: string): boolean {
  // isIP is strict: ipaddr.js also takes 0x7f.1 and zone ids.
  if (!isIP(ip) || ip.includes('%')) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== 'unicast' || platformAddresses.includes(ip)) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIPv6);
}

/** An address of this machine, which connects to it past the firewall of its interface. */
export function isOwnAddress(ip: string, interfaces = networkInterfaces()): boolean {
  const normalize = (text: string) => ipaddr.parse(text).toNormalizedString();
  return Object.values(interfaces)
    .flat()
    .some(own => own && normalize(own.address) === normalize(ip));
}
