import { createAuditNetwork } from './create-network.ts';
import type { AuditDns, AuditNetwork } from './network.ts';
import { NetworkError } from './network-error.ts';
import { publicPolicy } from './policy.ts';

export type Endpoint = { ip: string; port?: number };

export type OwnerNetworkOptions = {
  siteUrl?: string | undefined;
  dns?: Endpoint | undefined;
  connect?: Endpoint | undefined;
  plainPort?: number | undefined;
  timeoutMs?: number | undefined;
};

const maxMs = 20_000;

/** For the owner's own site, which may be in a private network or on another port: every address is allowed. */
export function createOwnerNetwork(options: OwnerNetworkOptions): AuditNetwork {
  const { siteUrl = 'https://localhost', dns, connect, plainPort = 80, timeoutMs } = options;
  const { hostname, port } = new URL(siteUrl);
  return createAuditNetwork({
    userAgent: 'Mozilla/5.0 (compatible; check-launch)',
    ehloName: hostname,
    signal: AbortSignal.timeout(maxMs),
    dnsServers: dns && [{ port: 53, ...dns }],
    limits: {
      connectionGapMs: 0,
      ...(timeoutMs !== undefined && { fetchMs: timeoutMs, dnsMs: timeoutMs / 4 }),
    },
    policy: {
      ...publicPolicy,
      isAllowedAddress: () => true,
      hosts: connect ? { [hostname]: connect.ip } : {},
      connect(endpoint) {
        if (connect?.port !== undefined && endpoint.port !== connect.port)
          throw new NetworkError('--connect names the HTTPS port only');
        return publicPolicy.connect(endpoint);
      },
      ports: { 443: connect?.port ?? Number(port || 443), 80: plainPort, 25: 25 },
    },
  });
}

/** Asks anew each time: the owner corrects a record and tries again. */
export function createOwnerDns(dns: Endpoint | undefined): AuditDns {
  return { query: (name, type) => createOwnerNetwork({ dns }).dns.query(name, type) };
}
