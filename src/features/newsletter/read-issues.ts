import type { DeliveryState, NewsletterIssueRow } from '../../core/database/tables.ts';
import type { ReceiverStates } from '../../core/outbox/receivers.ts';
import type { NewsletterIssues } from './newsletter-issues.ts';
import { receiverTypes } from './receiver-types.ts';
import type { SignUps } from './sign-ups.ts';

export type IssueCounts = Record<DeliveryState, number>;

type IssueDeps<Method extends keyof NewsletterIssues> = { issues: Pick<NewsletterIssues, Method> };

export async function findIssue(
  { issues }: IssueDeps<'find'>,
  names: readonly string[],
): Promise<NewsletterIssueRow | undefined> {
  for (const name of names) {
    const issue = await issues.find(name);
    if (issue) return issue;
  }
  return undefined;
}

export function readIssue(
  { issues }: IssueDeps<'get'>,
  reference: string,
): Promise<NewsletterIssueRow | undefined> {
  return issues.get(reference);
}

export async function findNewestIssue(
  { issues }: IssueDeps<'list' | 'count'>,
  having: 'unsent' | 'held' | 'failed' | 'unconfirmed',
): Promise<NewsletterIssueRow | undefined> {
  for (const issue of await issues.list(100)) {
    const counts = await issues.count(issue.reference);
    if ((having === 'unsent' ? countUnsent(counts) : counts[having]) > 0) return issue;
  }
  return undefined;
}

export function countIssue({ issues }: IssueDeps<'count'>, reference: string): Promise<IssueCounts> {
  return issues.count(reference);
}

export function countUnsent({ waiting, sending }: IssueCounts): number {
  return waiting + sending;
}

export type IssueFigures = ReturnType<typeof summarizeCounts>;

export function summarizeCounts(counts: IssueCounts) {
  const { delivered: sent, held, failed, unconfirmed, cancelled } = counts;
  const recipients = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return { recipients, sent, waiting: countUnsent(counts), held, failed, unconfirmed, cancelled };
}

type StatusDeps = IssueDeps<'list' | 'count' | 'listDeliveries'> & { signUps: Pick<SignUps, 'count'> };

export async function readIssueStatus(
  { issues, signUps }: StatusDeps,
  { issue, limit }: { issue: NewsletterIssueRow | undefined; limit: number },
) {
  const found = issue ? [issue] : await issues.list(limit);
  return {
    issues: await Promise.all(
      found.map(async one => ({ ...one, counts: await issues.count(one.reference) })),
    ),
    undelivered: issue ? await issues.listDeliveries(issue.reference, ['unconfirmed', 'failed'], limit) : [],
    waitingRequests: await signUps.count(),
  };
}

type StallDeps = IssueDeps<'listDeliveries'> & { receiverStates: Pick<ReceiverStates, 'listPaused'> };

export async function findStallReason({ issues, receiverStates }: StallDeps, reference: string) {
  const paused = (await receiverStates.listPaused()).find(({ name }) => name === receiverTypes.issues.name);
  const [waiting] = paused ? [] : await issues.listDeliveries(reference, ['waiting'], 1);
  return { paused, lastFailure: waiting?.last_failure };
}
