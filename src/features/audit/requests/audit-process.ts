import { systemClock } from '../../../core/clock.ts';
import { checks } from '../list-checks.ts';
import { runAudit } from '../run-audit.ts';
import { createPublicNetwork, type NetworkSettings } from './audit-network.ts';
import { serveAudit } from './serve-audit.ts';

/** A form without JavaScript has its whole answer within 20 seconds. */
const timeoutMs = 18_000;

/** The build makes one file of it, which starts in a third of the time. */
serveAudit<NetworkSettings>(({ domain, grading, settings }, onUnexpectedError) =>
  runAudit(
    {
      checks,
      grading,
      clock: systemClock,
      onUnexpectedError,
      timeoutMs,
      createNetwork: signal => createPublicNetwork(settings, signal),
    },
    domain,
  ),
);
