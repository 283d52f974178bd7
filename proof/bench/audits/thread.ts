import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { checks } from '../../../src/audit/list-checks.ts';
import { createAuditNetwork } from '../../../src/audit/net/create-network.ts';
import { parseDnsServer } from '../../../src/audit/net/dns-transport.ts';
import type { AuditNetwork } from '../../../src/audit/net/network.ts';
import { runAudit } from '../../../src/audit/run-audit.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { getAuditContent } from '../../../src/server/audit-content.ts';
import { serveAudits } from '../../../src/server/serve-audits.ts';
import { startAuditedDomains } from '../../../tests/fakes/audited-domains.ts';

type Speed = 'slow' | 'fast';
const { names, delaysMs }: { names: Record<Speed, string[]>; delaysMs: Record<Speed, number> } = workerData;
if (!parentPort) throw new Error('thread.ts runs in a worker thread');

/** The audited servers are in this thread as well, so it has more to do than with servers elsewhere. */
const internet = await startAuditedDomains([...names.slow, ...names.fast].map(name => ({ name })));
const options = {
  ...{ userAgent: 'bench', ehloName: 'localhost', policy: internet.policy },
  dnsServers: [parseDnsServer(internet.dnsAddress)],
};

serveAudits(parentPort, ({ domain, contentFolder }, onUnexpectedError) =>
  runAudit(
    {
      ...{ checks, clock: systemClock, onUnexpectedError },
      grading: getAuditContent(contentFolder).grading,
      createNetwork: signal =>
        delay(
          createAuditNetwork({ ...options, signal }),
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
