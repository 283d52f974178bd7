import { parentPort, workerData } from 'node:worker_threads';
import { checks } from '../audit/list-checks.ts';
import { runAudit } from '../audit/run-audit.ts';
import { systemClock } from '../lib/clock.ts';
import { getAuditContent } from './audit-content.ts';
import { createPublicNetwork, type NetworkSettings } from './audit-network.ts';
import { serveAudits } from './serve-audits.ts';

const settings: NetworkSettings = workerData;

/** A form without JavaScript has its whole answer within 20 seconds. */
const timeoutMs = 18_000;

if (!parentPort) throw new Error('audit-thread.ts runs in a worker thread');

serveAudits(parentPort, ({ domain, contentFolder }, onUnexpectedError) =>
  runAudit(
    {
      ...{ checks, clock: systemClock, onUnexpectedError, timeoutMs },
      grading: getAuditContent(contentFolder).grading,
      createNetwork: signal => createPublicNetwork(settings, signal),
    },
    domain,
  ),
);
