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

/** Services of a provider to its own guests at public addresses: Azure, IBM Cloud, Google Cloud. */
const providerRanges = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14', '199.36.153.8/30'].map(range =>
  ipaddr.IPv4.parseCIDR(range),
);

const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Only addresses of the public internet. `range` knows private, shared, mapped, translated and tunnelled ranges; IPv6
 * outside 2000::/3 is refused as a whole, because `range` takes old forms such as ::127.0.0.1 for unicast.
 */
export function isGlobalUnicast(ip: string): boolean {
  // isIP is strict: ipaddr.js also takes 0x7f.1 and zone ids.
  if (!isIP(ip) || ip.includes('%')) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return !providerRanges.some(range => address.match(range));
  return address.match(globalIPv6) && !isIsatap(address);
}

/** RFC 5214, 6.1: the second half of the address holds an IPv4 address, to which a router may tunnel. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

/** An address of this machine, which connects to it past the firewall of its interface. */
export function isOwnAddress(ip: string, interfaces = networkInterfaces()): boolean {
  const normalize = (text: string) => ipaddr.parse(text).toNormalizedString();
  return Object.values(interfaces)
    .flat()
    .some(own => own && normalize(own.address) === normalize(ip));
}
