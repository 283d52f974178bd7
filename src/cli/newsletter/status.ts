import { listReceiverProblems } from '../../domain/messages/retry-deliveries.ts';
import { countUnsent, type IssueCounts, readIssueStatus } from '../../domain/newsletter/read-issues.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { describeShown, formatCount, printJson, printNote, printTable } from '../print.ts';
import { printLines } from '../terminal.ts';
import { findNamed } from './stop.ts';

const queues = ['confirmations', 'newsletter'];

export async function status(
  { domainDeps }: Services,
  name: string | undefined,
  { limit, json: isJson }: Flags<'json'> & { limit: number },
): Promise<void> {
  const issue = name === undefined ? undefined : await findNamed(domainDeps, name);
  if (name !== undefined && !issue) return;
  const found = await readIssueStatus(domainDeps, { issue, limit });
  const { paused } = await listReceiverProblems(domainDeps, queues);
  const issues = found.issues.map(({ name, subject, queued_at, counts }) => ({
    ...{ name, subject, queued_at },
    ...formatCounts(counts),
  }));
  const undelivered = found.undelivered.map(
    ({ address, subscriber, state, attempts, last_failure, settled_at }) => ({
      address: address ?? subscriber,
      state,
      ...{ attempts, settled_at, reason: last_failure },
    }),
  );
  const { waitingRequests: requests } = found;
  if (isJson) return printJson({ issues, ...(issue && { undelivered }), paused, requests });

  printTable(
    issues.map(({ queued_at: queued, name, subject, ...rest }) => ({ name, subject, queued, ...rest })),
  );
  if (undelivered.length > 0) {
    printLines(['']);
    printTable(undelivered.map(({ settled_at: at, reason, ...row }) => ({ ...row, at, reason })));
    const total = issues.reduce((sum, row) => sum + row.failed + row.unconfirmed, 0);
    if (total > undelivered.length) printNote(describeShown(undelivered.length, total));
  }
  for (const { name: queue, paused_at, pause_reason } of paused)
    printNote(
      `Queue ${queue} has been paused since ${paused_at}: ${pause_reason}. Fix it, then restart the server.`,
    );
  if (requests > 0)
    printNote(`${formatCount(requests, 'sign-up')} waiting (limited by NEWSLETTER_MAX_PER_HOUR)`);
  if (issues.length === 0) printNote('No issues have been sent');
}

function formatCounts(counts: IssueCounts) {
  return {
    recipients: Object.values(counts).reduce((sum, one) => sum + one, 0),
    sent: counts.delivered,
    waiting: countUnsent(counts),
    held: counts.held,
    failed: counts.failed,
    unconfirmed: counts.unconfirmed,
    cancelled: counts.cancelled,
  };
}
