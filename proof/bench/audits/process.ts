import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/core/clock.ts';
import { createAuditNetwork } from '../../../src/core/network/create-network.ts';
import { parseDnsServer } from '../../../src/core/network/dns-transport.ts';
import type { AuditNetwork } from '../../../src/core/network/network.ts';
import { checks } from '../../../src/features/audit/list-checks.ts';
import { serveAudit } from '../../../src/features/audit/requests/serve-audit.ts';
import { runAudit } from '../../../src/features/audit/run-audit.ts';
import { createLocalPolicy, type InternetReach } from '../../../tests/fakes/internet-policy.ts';

export type Speed = 'slow' | 'fast';
export type BenchSettings = { reach: InternetReach; delaysMs: Record<Speed, number> };

/** As src/features/audit/requests/audit-process.ts, to servers on this machine that answer late. */
serveAudit<BenchSettings>(({ domain, grading, settings: { reach, delaysMs } }, onUnexpectedError) =>
  runAudit(
    {
      ...{ checks, grading, clock: systemClock, onUnexpectedError },
      createNetwork: signal =>
        delay(
          createAuditNetwork({
            ...{ userAgent: 'bench', ehloName: 'localhost', policy: createLocalPolicy(reach), signal },
            dnsServers: [parseDnsServer(reach.dnsAddress)],
          }),
          delaysMs[domain.startsWith('slow') ? 'slow' : 'fast'],
        ),
    },
    domain,
  ),
);

function delay(network: AuditNetwork, delayMs: number): AuditNetwork {
  const { dns, fetch, fetchFollowing, handshake, smtpHello, hasConnected } = network;
  const later =
    <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) =>
    async (...args: Args) => {
      await wait(delayMs);
      return ask(...args);
    };
  return {
    dns: { query: later(dns.query) },
    fetch: later(fetch),
    fetchFollowing: later(fetchFollowing),
    handshake: later(handshake),
    smtpHello: later(smtpHello),
    hasConnected,
  };
}
