import { checks } from '../../src/audit/list-checks.ts';
import { createAuditNetwork } from '../../src/audit/net/create-network.ts';
import { type AuditReport, runAudit } from '../../src/audit/run-audit.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { FakeInternet } from '../fakes/internet.ts';

/** The whole audit over the servers of a fake internet. */
export async function auditDomain({ dnsAddress, policy }: FakeInternet, name: string): Promise<AuditReport> {
  const [ip = '', port] = dnsAddress.split(':');
  const network = {
    userAgent: 'test',
    ehloName: 'localhost',
    policy,
    limits: { connectionGapMs: 0 },
    dnsServers: [{ ip, port: Number(port) }],
  };
  const deps = {
    checks,
    grading: { weights: {}, grades: [] },
    clock: systemClock,
    createNetwork: (signal: AbortSignal) => createAuditNetwork({ ...network, signal }),
    onUnexpectedError(_: string, error: unknown) {
      throw error;
    },
  };
  for await (const event of runAudit(deps, name)) if (event.type === 'report') return event.report;
  throw new Error('the audit ended without a report');
}
