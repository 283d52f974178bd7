import type { Context } from 'hono';
import type { ReadableIssue } from '../../build/read-issue-file.ts';
import type { NewsletterIssue } from '../../content/read-newsletter-issue.ts';
import { isWorkerRunning } from '../../domain/backup/recorded-runs.ts';
import { findIssue } from '../../domain/newsletter/read-issues.ts';
import { countSubscribers } from '../../domain/newsletter/read-subscribers.ts';
import { prepareIssue, sendIssue } from '../../domain/newsletter/send-issue.ts';
import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { findMissingLink, sendTestIssue } from '../../server/send-test-issue.ts';
import type { Services } from '../../server/wire.ts';
import type { DeskApp, DeskDeps } from '../desk-deps.ts';
import { formatMoment } from '../format-time.ts';
import { readForm } from '../read-form.ts';
import type { createIssueSources, IssueSource } from './issue-source.ts';
import { answerMail, fillText } from './mail.ts';
import type { MailProps, SendProps } from './props.ts';

const area = 'newsletter';
const base = '/newsletter/:kind{drafts|posts}/:name';

/** What a draft and a post share: the mail in a frame, a test, and sending it to all. */
export function addSendRoutes(
  app: DeskApp,
  { services, answer }: DeskDeps,
  sources: ReturnType<typeof createIssueSources>,
) {
  const { domainDeps, config, newsletter } = services;
  const find = (context: Context) =>
    sources.find(context.req.param('kind') ?? '', context.req.param('name') ?? '');

  async function readMail(path: string, { issue, warnings }: ReadableIssue): Promise<MailProps> {
    const { text } = newsletter.renderIssue(issue);
    const { confirmed } = await countSubscribers(domainDeps);
    const testTo = config.mail.smtp ? config.mail.to : '';
    return {
      path,
      subject: issue.subject,
      preview: issue.preview,
      text: fillText(services, text),
      testTo,
      confirmed,
      warnings,
    };
  }

  app.get(`${base}/mail`, context => {
    const { issue } = find(context)?.read() ?? {};
    return issue ? answerMail(context, services, newsletter.renderIssue(issue).html) : context.notFound();
  });

  app.post(`${base}/test`, async context => {
    const source = find(context);
    const { issue } = source?.read() ?? {};
    if (!source || !issue) return context.notFound();
    const given = (await readForm(context))('to');
    const to = parseDeliverableAddress(given)?.address;
    const outcome = to ? await sendTestIssue(services, issue, to) : undefined;
    if (outcome?.kind === 'delivered') return context.redirect(`${source.path}?done=tested`, 303);
    const mayHaveArrived = outcome && 'isAmbiguous' in outcome && outcome.isAmbiguous;
    const text = outcome
      ? `The test was not sent: ${outcome.reason}.${mayHaveArrived ? ' It may have arrived anyway.' : ''}`
      : `'${given}' is not an email address that mail can be sent to.`;
    const props = { text, link: { text: 'Back to the issue', path: source.path } };
    return answer(context, { view: 'problem', title: 'The test was not sent', area, props }, 422);
  });

  app.get(`${base}/send`, async context => {
    const source = find(context);
    const read = source?.read();
    if (!source || !read?.issue) return context.notFound();
    const { issue } = read;
    return (await showSent(context, issue)) ?? show(context, source, issue, await plan(services, read));
  });

  /** An issue that was sent, and perhaps stopped, goes on from its own page alone. */
  async function showSent(context: Context, { name }: NewsletterIssue): Promise<Response | undefined> {
    const sent = await findIssue(domainDeps, [name]);
    return sent && context.redirect(`/newsletter/issues/${sent.reference}`, 303);
  }

  const show = (
    context: Context,
    source: IssueSource,
    { subject, hash }: NewsletterIssue,
    planned: Pick<SendProps, 'confirmed' | 'refusal' | 'notes'>,
    status?: 409,
  ) => {
    const props = { path: source.path, subject, hash, ...planned };
    return answer(context, { view: 'newsletter/send', title: 'Send this issue?', area, props }, status);
  };

  app.post(`${base}/send`, async context => {
    const source = find(context);
    const read = source?.read();
    if (!source || !read?.issue) return context.notFound();
    const { issue } = read;
    const sent = await showSent(context, issue);
    if (sent) return sent;
    const planned = await plan(services, read);
    // The owner confirmed a text: another one, saved meanwhile, is shown first.
    const isSame = (await readForm(context))('hash') === issue.hash;
    if (planned.refusal || !isSame) return show(context, source, issue, planned, 409);
    const { name, hash } = issue;
    const { subject, html, text } = newsletter.renderIssue(issue);
    const mail = { name, hash, subject, html, text };
    const { reference } = await sendIssue(domainDeps, {
      ...mail,
      resendUnconfirmed: false,
      resendFailed: false,
    });
    return context.redirect(`/newsletter/issues/${reference}?done=queued`, 303);
  });

  return { readMail };
}

async function plan(
  services: Services,
  { issue, warnings }: ReadableIssue,
): Promise<Pick<SendProps, 'confirmed' | 'refusal' | 'notes'>> {
  const { domainDeps, config, newsletter, clock } = services;
  const prepared = await prepareIssue(domainDeps, issue);
  if (prepared.kind === 'different text')
    return { confirmed: 0, notes: [], refusal: 'An issue of this name was sent with another text.' };
  const { confirmed, recent } = prepared;
  const missing = findMissingLink(services, issue);
  const { destination } = newsletter.subscriberMail.newsletter;
  const notes = [
    ...warnings,
    ...((await isWorkerRunning(domainDeps)) ? [] : [notRunning]),
    ...(config.mail.smtp
      ? []
      : [`No mail server is set up (SMTP_URL): mails are written as files to ${destination}, and not sent.`]),
    ...(recent
      ? [
          `The last issue, '${recent.subject}', was sent on ${formatMoment(recent.queued_at, clock.now()).text}. Subscribers agreed to at most one a month.`,
        ]
      : []),
    ...(issue.webUrl ? [`The mails link to ${config.siteUrl}${issue.webUrl}. Check that it is online.`] : []),
  ];
  const refusal = missing
    ? `The site's public address (SITE_URL) is not set, so the ${missing} would not work.`
    : prepared.kind === 'no recipients' || confirmed === 0
      ? 'There is no confirmed subscriber yet.'
      : null;
  return { confirmed, refusal, notes };
}

const notRunning = 'The site delivers the mails, and it is not running. They wait until it is started.';
