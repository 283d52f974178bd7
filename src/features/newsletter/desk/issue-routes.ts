import type { Context } from 'hono';
import { findNotice } from '../../../core/desk/answer.ts';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { describeStoredFailure } from '../../../core/outbox/failures.ts';
import { formatCsv } from '../../../lib/csv.ts';
import type { IssueActions } from '../actions/actions.ts';
import { readIssue, readIssueStatus } from '../read-issues.ts';
import { createDrafts } from './drafts.ts';
import { buildIssueProps, buildIssuesProps } from './issue-props.ts';
import { answerMail } from './mail.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import type { NewsletterPages } from './props.ts';

const area = 'newsletter';
const maxExported = 1_000_000;

const notices = {
  queued: 'The issue is on its way.',
  stopped: 'Stopped. Mails that are being sent at this moment may still arrive.',
  resumed: 'Sending goes on.',
  resent: 'These mails will be sent again.',
  deleted: 'The draft was deleted.',
};

export function addIssueRoutes(
  app: DeskApp,
  { services, answer }: DeskDeps<NewsletterDeskNeeds, NewsletterPages>,
  { resend, resume, stop }: Pick<IssueActions, 'resend' | 'resume' | 'stop'>,
): void {
  const { domainDeps, config } = services;
  const drafts = createDrafts(config);

  app.get('/newsletter', async context => {
    const props = await buildIssuesProps(services, drafts);
    const page = { view: 'newsletter/issues', title: 'Newsletter', area, props } as const;
    return answer(context, { ...page, ...findNotice(context, notices) });
  });

  app.get('/newsletter/issues/:reference', async context => {
    const issue = await readIssue(domainDeps, context.req.param('reference'));
    if (!issue) return context.notFound();
    const props = await buildIssueProps(services, issue);
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
    const rows = undelivered.map(({ address, state, attempts, last_failure }) => [
      address ?? '',
      state,
      attempts,
      describeStoredFailure(last_failure),
    ]);
    context.header('Content-Disposition', `attachment; filename="unreached-${issue.name}.csv"`);
    const csv = formatCsv([['address', 'state', 'attempts', 'reason'], ...rows]);
    return context.body(csv, 200, { 'content-type': 'text/csv; charset=utf-8' });
  });

  const change = (path: string, done: keyof typeof notices, work: (reference: string) => Promise<unknown>) =>
    app.post(`/newsletter/issues/:reference/${path}`, async (context: Context) => {
      const reference = context.req.param('reference') ?? '';
      if (!(await readIssue(domainDeps, reference))) return context.notFound();
      await work(reference);
      return context.redirect(`/newsletter/issues/${reference}?done=${done}`, 303);
    });

  change('stop', 'stopped', reference => stop.run(services, { reference }));
  change('resume', 'resumed', reference => resume.run(services, { reference }));
  change('resend-failed', 'resent', reference =>
    resend.run(services, { reference, failed: true, unconfirmed: false }),
  );
  change('resend-unconfirmed', 'resent', reference =>
    resend.run(services, { reference, failed: false, unconfirmed: true }),
  );
}
