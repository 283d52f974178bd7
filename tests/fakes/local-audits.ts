import { readContent } from '../../src/apps/content.ts';
import { systemClock } from '../../src/core/clock.ts';
import { contentFolder } from '../../src/core/content/content-folder.ts';
import { createAuditNetwork } from '../../src/core/network/create-network.ts';
import { parseDnsServer } from '../../src/core/network/dns-transport.ts';
import { getGrading } from '../../src/features/audit/get-grading.ts';
import type { Grading } from '../../src/features/audit/grade.ts';
import { checks } from '../../src/features/audit/list-checks.ts';
import type { AuditRunner } from '../../src/features/audit/requests/audit-runner.ts';
import { type AuditDeps, type AuditReport, runAudit } from '../../src/features/audit/run-audit.ts';
import { type AuditedDomain, startAuditedDomains } from './audited-domains.ts';
import type { FakeInternet } from './internet.ts';

const domains: AuditedDomain[] = [
  { name: 'example.com' },
  {
    name: 'example.net',
    headers: { 'strict-transport-security': null, 'content-security-policy': null, server: 'Apache/2.4.1' },
    records: { _dmarc: { TXT: ['v=DMARC1; p=none'] }, '_mta-sts': null },
    certificates: { '@': 'expiring' },
  },
  {
    name: 'example.org',
    isUnsigned: true,
    hasPlainPage: true,
    headers: { 'x-content-type-options': null, 'set-cookie': 'PHPSESSID=1' },
    records: { '@': { TXT: ['v=spf1 +all'] }, _dmarc: null, 'default._domainkey': null, '_mta-sts': null },
    certificates: { '@': 'self-signed', mail: 'expired' },
  },
];

/** Audits of three domains on this machine: without faults, with some and with many. There are no other domains. */
export async function createLocalAudits(): Promise<AuditRunner & { names: string[] }> {
  const internet = await startAuditedDomains(domains);
  return {
    names: domains.map(({ name }) => name),
    run: domain => runOver(internet, domain),
    prepare: () => undefined,
    close: async () => internet[Symbol.asyncDispose](),
  };
}

/** The report of the whole audit over the servers of a fake internet. */
export async function auditDomain(internet: FakeInternet, domain: string): Promise<AuditReport> {
  const events = runOver(internet, domain, (_, error) => {
    throw error;
  });
  for await (const event of events) if (event.type === 'report') return event.report;
  throw new Error('the audit ended without a report');
}

export function readGrading(): Grading {
  const { content } = readContent(contentFolder);
  if (!content) throw new Error('content/ has errors');
  return getGrading(content.audit);
}

let grading: Grading | undefined;

function runOver(
  { dnsAddress, policy }: FakeInternet,
  domain: string,
  onUnexpectedError: AuditDeps['onUnexpectedError'] = () => undefined,
) {
  const network = {
    ...{ userAgent: 'SiteAudit/1.0 (a fake)', ehloName: 'localhost', policy },
    ...{ limits: { connectionGapMs: 0 }, dnsServers: [parseDnsServer(dnsAddress)] },
  };
  grading ??= readGrading();
  const createNetwork = (signal: AbortSignal) => createAuditNetwork({ ...network, signal });
  return runAudit({ checks, clock: systemClock, grading, createNetwork, onUnexpectedError }, domain);
}
