import { createAuditNetwork } from '../../../core/network/create-network.ts';
import { parseDnsServer } from '../../../core/network/dns-transport.ts';
import type { AuditNetwork } from '../../../core/network/network.ts';
import { isWithin } from '../../../core/network/parse-domain.ts';
import { isOwnAddress, publicPolicy } from '../../../core/network/policy.ts';
import { auditPaths } from '../contract.ts';

export type NetworkSettings = {
  resolvers: readonly string[];
  deny: readonly string[];
  siteUrl: string | undefined;
  /** The owner may look at this machine, which no visitor may. */
  isForOwner?: boolean;
};

/** The network of one audit. Its User-Agent leads the owner of an audited server to an explanation. */
export function createPublicNetwork(
  { resolvers, deny, siteUrl, isForOwner = false }: NetworkSettings,
  signal: AbortSignal,
): AuditNetwork {
  const site = siteUrl ?? 'http://localhost';
  return createAuditNetwork({
    userAgent: `Mozilla/5.0 (compatible; SiteAudit/1.0; +${site}${auditPaths.about})`,
    ehloName: new URL(site).hostname,
    dnsServers: resolvers.length > 0 ? resolvers.map(parseDnsServer) : undefined,
    signal,
    policy: {
      ...publicPolicy,
      isAllowedAddress: ip => publicPolicy.isAllowedAddress(ip) && (isForOwner || !isOwnAddress(ip)),
      isAllowedHost: host => !isWithin(host, deny),
    },
  });
}
