import { checks } from '../../src/audit/list-checks.ts';
import { createAuditNetwork } from '../../src/audit/net/create-network.ts';
import { parseDnsServer } from '../../src/audit/net/dns-transport.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { serveAudit } from '../../src/server/serve-audit.ts';
import { createLocalPolicy, type InternetReach } from './internet-policy.ts';

/** As src/server/audit-process.ts, to the servers of a fake internet. */
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
