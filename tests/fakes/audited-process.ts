import { systemClock } from '../../src/core/clock.ts';
import { createAuditNetwork } from '../../src/core/network/create-network.ts';
import { parseDnsServer } from '../../src/core/network/dns-transport.ts';
import { checks } from '../../src/features/audit/list-checks.ts';
import { serveAudit } from '../../src/features/audit/requests/serve-audit.ts';
import { runAudit } from '../../src/features/audit/run-audit.ts';
import { createLocalPolicy, type InternetReach } from './internet-policy.ts';

/** As src/features/audit/requests/audit-process.ts, to the servers of a fake internet. */
serveAudit<InternetReach>(({ domain, grading, settings }, onUnexpectedError) =>
  runAudit(
    {
      ...{ checks, grading, clock: systemClock, onUnexpectedError },
      createNetwork: signal =>
        createAuditNetwork({
          ...{ userAgent: 'SiteAudit/1.0 (a fake)', ehloName: 'localhost', signal },
          ...{ policy: createLocalPolicy(settings), limits: { connectionGapMs: 50 } },
          dnsServers: [parseDnsServer(settings.dnsAddress)],
        }),
    },
    domain,
  ),
);
