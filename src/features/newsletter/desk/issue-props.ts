import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import { isWorkerRunning } from '../../../core/database/recorded-runs.ts';
import { describeFailure, describeStoredFailure } from '../../../core/outbox/failures.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import type { NewsletterDrafts } from '../newsletter-drafts.ts';
import {
  findStallReason,
  type IssueCounts,
  type IssueFigures,
  type readIssue,
  readIssueStatus,
  summarizeCounts,
} from '../read-issues.ts';
import { countSubscribers } from '../read-subscribers.ts';
import { fillText } from './mail.ts';

const maxIssues = 100;
const maxUndelivered = 200;

type IssuesDeps = DepsOf<typeof readIssueStatus | typeof countSubscribers | typeof isWorkerRunning>;

export async function buildIssuesProps(
  { domainDeps, clock }: { domainDeps: IssuesDeps; clock: Clock },
  drafts: NewsletterDrafts,
) {
  const now = clock.now();
  const { issues } = await readIssueStatus(domainDeps, { issue: undefined, limit: maxIssues });
  const { confirmed, pending } = await countSubscribers(domainDeps);
  const sent = new Set(issues.map(({ name }) => name));
  return {
    confirmed,
    pending,
    isSiteRunning: await isWorkerRunning(domainDeps),
    issues: issues.map(issue => toLine(issue, now)),
    drafts: drafts
      .list()
      .filter(({ name }) => !sent.has(name))
      .map(({ name, fields, changedAt }) => ({
        name,
        subject: fields?.subject || name,
        changedAt: formatMoment(changedAt, now),
      })),
  };
}

type Issue = NonNullable<Awaited<ReturnType<typeof readIssue>>>;
type CountedIssue = Pick<Issue, 'reference' | 'subject' | 'queued_at'> & { counts: IssueCounts };

function toLine({ reference, subject, queued_at, counts }: CountedIssue, now: Date) {
  const figures = summarizeCounts(counts);
  return { reference, subject, queuedAt: formatMoment(queued_at, now), state: getState(figures), figures };
}

function getState({ waiting, held }: IssueFigures): 'sending' | 'stopped' | 'sent' {
  if (waiting > 0) return 'sending';
  return held > 0 ? 'stopped' : 'sent';
}

type IssueDeps = DepsOf<typeof readIssueStatus | typeof findStallReason | typeof isWorkerRunning>;

/** Of one issue, with whom it did not reach. */
export async function buildIssueProps(
  services: { domainDeps: IssueDeps; clock: Clock } & DepsOf<typeof fillText>,
  issue: Issue,
) {
  const { domainDeps, clock } = services;
  const { issues, undelivered } = await readIssueStatus(domainDeps, { issue, limit: maxUndelivered });
  const [counted] = issues;
  if (!counted) throw new Error('the issue cannot be read');
  const line = toLine(counted, clock.now());
  const isSiteRunning = await isWorkerRunning(domainDeps);
  const { paused, lastFailure } = await findStallReason(domainDeps, issue.reference);
  const stall = paused
    ? `Sending is paused: ${describeFailure(paused.failure)}. Correct it, then choose Go on.`
    : lastFailure &&
      `Some mails failed and will be tried again. The last reason: ${describeStoredFailure(lastFailure)}`;
  return {
    ...line,
    isSiteRunning,
    isPaused: line.state === 'sending' && paused !== undefined,
    stall: (line.state === 'sending' && stall) || null,
    undelivered: undelivered.map(({ address, state, attempts, last_failure }) => ({
      address: address ?? '(erased)',
      state,
      attempts,
      reason: describeStoredFailure(last_failure),
    })),
    undeliveredTotal: line.figures.failed + line.figures.unconfirmed,
    text: fillText(services, issue.text),
  };
}
