import type { Context } from 'hono';
import { resume, stop } from '../../actions/newsletter/issues.ts';
import { isWorkerRunning } from '../../domain/backup/recorded-runs.ts';
import {
  findStallReason,
  type IssueCounts,
  readIssue,
  readIssueStatus,
  summarizeCounts,
} from '../../domain/newsletter/read-issues.ts';
import { countSubscribers } from '../../domain/newsletter/read-subscribers.ts';
import { resendIssue } from '../../domain/newsletter/send-issue.ts';
import { formatCsv } from '../../lib/csv.ts';
import type { Services } from '../../server/wire.ts';
import { findNotice } from '../answer.ts';
import type { DeskApp, DeskDeps } from '../desk-deps.ts';
import { formatMoment } from '../format-time.ts';
import { createDrafts } from './drafts.ts';
import { answerMail, fillText } from './mail.ts';
import type { IssueFigures, IssueLine, IssueProps, IssueState } from './props.ts';

const area = 'newsletter';
const maxIssues = 100;
const maxUndelivered = 200;
const maxExported = 1_000_000;

const notices = {
  queued: 'The issue is on its way.',
  stopped: 'Stopped. Mails that are being sent at this moment may still arrive.',
  resumed: 'Sending goes on.',
  resent: 'These mails will be sent again.',
  deleted: 'The draft was deleted.',
};

export function addIssueRoutes(app: DeskApp, { services, answer }: DeskDeps): void {
  const { domainDeps, clock, config } = services;
  const drafts = createDrafts(config);

  app.get('/newsletter', async context => {
    const now = clock.now();
    const { issues } = await readIssueStatus(domainDeps, { issue: undefined, limit: maxIssues });
    const { confirmed, pending } = await countSubscribers(domainDeps);
    const sent = new Set(issues.map(({ name }) => name));
    const props = {
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
    const page = { view: 'newsletter/issues', title: 'Newsletter', area, props } as const;
    return answer(context, { ...page, ...findNotice(context, notices) });
  });

  app.get('/newsletter/issues/:reference', async context => {
    const issue = await readIssue(domainDeps, context.req.param('reference'));
    if (!issue) return context.notFound();
    const props = await readProps(services, issue);
    const page = { view: 'newsletter/issue', title: issue.subject, area, props } as const;
    return answer(context, { ...page, ...findNotice(context, notices) });
  });

  app.get('/newsletter/issues/:reference/mail', async context => {
    const issue = await readIssue(domainDeps, context.req.param('reference'));
    return issue ? answerMail(context, services, issue.html) : context.notFound();
  });

  app.get('/newsletter/issues/:reference/unreached.csv', async context => {
    const issue = await readIssue(domainDeps, context.req.param('reference'));
    if (!issue) return context.notFound();
    const { undelivered } = await readIssueStatus(domainDeps, { issue, limit: maxExported });
    const rows = undelivered.map(one => [one.address ?? '', one.state, one.attempts, one.last_failure]);
    context.header('Content-Disposition', `attachment; filename="unreached-${issue.name}.csv"`);
    const csv = formatCsv([['address', 'state', 'attempts', 'reason'], ...rows]);
    return context.body(csv, 200, { 'content-type': 'text/csv; charset=utf-8' });
  });

  const change = (path: string, done: keyof typeof notices, work: (reference: string) => Promise<unknown>) =>
    app.post(`/newsletter/issues/:reference/${path}`, async (context: Context) => {
      const reference = context.req.param('reference') ?? '';
      await work(reference);
      return context.redirect(`/newsletter/issues/${reference}?done=${done}`, 303);
    });

  change('stop', 'stopped', reference => stop.run(services, { reference }));
  change('resume', 'resumed', reference => resume.run(services, { reference }));
  change('resend-failed', 'resent', reference => resendIssue(domainDeps, reference, 'failed'));
  change('resend-unconfirmed', 'resent', reference => resendIssue(domainDeps, reference, 'unconfirmed'));
}

type Issue = NonNullable<Awaited<ReturnType<typeof readIssue>>>;
type CountedIssue = Pick<Issue, 'reference' | 'subject' | 'queued_at'> & { counts: IssueCounts };

function toLine({ reference, subject, queued_at, counts }: CountedIssue, now: Date): IssueLine {
  const figures = summarizeCounts(counts);
  return { reference, subject, queuedAt: formatMoment(queued_at, now), state: getState(figures), figures };
}

function getState({ waiting, held }: IssueFigures): IssueState {
  if (waiting > 0) return 'sending';
  return held > 0 ? 'stopped' : 'sent';
}

async function readProps(services: Services, issue: Issue): Promise<IssueProps> {
  const { domainDeps, clock } = services;
  const { issues, undelivered } = await readIssueStatus(domainDeps, { issue, limit: maxUndelivered });
  const [counted] = issues;
  if (!counted) throw new Error('the issue cannot be read');
  const line = toLine(counted, clock.now());
  const isSiteRunning = await isWorkerRunning(domainDeps);
  const { paused, lastFailure } = await findStallReason(domainDeps, issue.reference);
  const stall = paused
    ? `Sending is paused: ${paused.pause_reason}. Correct it, then choose Go on.`
    : lastFailure && `Some mails failed and will be tried again. The last reason: ${lastFailure}`;
  return {
    ...line,
    isSiteRunning,
    isPaused: line.state === 'sending' && paused !== undefined,
    stall: (line.state === 'sending' && stall) || null,
    undelivered: undelivered.map(({ address, state, attempts, last_failure }) => ({
      address: address ?? '(erased)',
      ...{ state, attempts, reason: last_failure },
    })),
    undeliveredTotal: line.figures.failed + line.figures.unconfirmed,
    text: fillText(services, issue.text),
  };
}
