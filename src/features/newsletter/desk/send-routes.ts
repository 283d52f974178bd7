import type { Context } from 'hono';
import * as v from 'valibot';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { readForm } from '../../../core/desk/read-form.ts';
import type { Issue } from '../../../core/mail/issue.ts';
import { describeFailure } from '../../../core/outbox/failures.ts';
import type { IssueActions } from '../actions/actions.ts';
import { planIssue } from '../actions/send-issue.ts';
import type { ReadableIssue } from '../read-issue-file.ts';
import { findIssue } from '../read-issues.ts';
import type { FoundIssue, IssueFinder } from './find-issue-file.ts';
import { answerMail } from './mail.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import type { NewsletterPages } from './props.ts';

const area = 'newsletter';
const base = '/newsletter/:kind{drafts|posts}/:name';

/** What a draft and a post share: the mail in a frame, a test, and sending it to all. */
export function addSendRoutes(
  app: DeskApp,
  { services, answer }: DeskDeps<NewsletterDeskNeeds, NewsletterPages>,
  { issues, actions }: { issues: IssueFinder; actions: Pick<IssueActions, 'send' | 'sendTest'> },
): void {
  const { domainDeps, newsletter } = services;
  const { send, sendTest } = actions;
  const find = (context: Context) =>
    issues.find(context.req.param('kind') ?? '', context.req.param('name') ?? '');

  app.get(`${base}/mail`, context => {
    const { issue } = find(context)?.read() ?? {};
    return issue ? answerMail(context, services, newsletter.renderIssue(issue).html) : context.notFound();
  });

  app.post(`${base}/test`, async context => {
    const source = find(context);
    const read = source?.read();
    if (!source || !read?.issue) return context.notFound();
    const given = (await readForm(context))('to');
    const to = v.safeParse(sendTest.input.entries.to, given);
    const outcome = to.success ? await sendTest.run(services, { issue: read, to: to.output }) : undefined;
    if (outcome?.kind === 'delivered') return context.redirect(`${source.path}?done=tested`, 303);
    const mayHaveArrived = outcome && 'isAmbiguous' in outcome && outcome.isAmbiguous;
    const text = outcome
      ? `The test was not sent: ${describeFailure(outcome.failure)}.${mayHaveArrived ? ' It may have arrived anyway.' : ''}`
      : `'${given}' is not an address that mail can be sent to.`;
    const props = { text, link: { text: 'Back to the issue', path: source.path } };
    return answer(context, { view: 'problem', title: 'The test was not sent', area, props }, 422);
  });

  app.get(`${base}/send`, async context => {
    const source = find(context);
    const read = source?.read();
    if (!source || !read?.issue) return context.notFound();
    const { issue } = read;
    return (await showSent(context, issue)) ?? show(context, source, read, await planIssue(services, read));
  });

  /** An issue that was sent, and perhaps stopped, goes on from its own page alone. */
  async function showSent(context: Context, { name }: Issue): Promise<Response | undefined> {
    const sent = await findIssue(domainDeps, [name]);
    return sent && context.redirect(`/newsletter/issues/${sent.reference}`, 303);
  }

  const show = (
    context: Context,
    source: FoundIssue,
    { issue: { subject, hash }, warnings }: ReadableIssue,
    { confirmed, refusal, notes }: Awaited<ReturnType<typeof planIssue>>,
    status?: 409,
  ) => {
    const props = { path: source.path, subject, hash, confirmed, refusal, notes: [...warnings, ...notes] };
    return answer(context, { view: 'newsletter/send', title: 'Send this issue?', area, props }, status);
  };

  app.post(`${base}/send`, async context => {
    const source = find(context);
    const read = source?.read();
    if (!source || !read?.issue) return context.notFound();
    const { issue } = read;
    const sent = await showSent(context, issue);
    if (sent) return sent;
    const planned = await planIssue(services, read);
    // The owner confirmed a text: another one, saved meanwhile, is shown first.
    const isSame = (await readForm(context))('hash') === issue.hash;
    if (planned.refusal || !isSame) return show(context, source, read, planned, 409);
    const { reference } = await send.run(services, {
      issue: read,
      resendUnconfirmed: false,
      resendFailed: false,
      wait: false,
    });
    return context.redirect(`/newsletter/issues/${reference}?done=queued`, 303);
  });
}
