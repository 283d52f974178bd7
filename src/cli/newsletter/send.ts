import { countIssue, type IssueCounts } from '../../domain/newsletter/read-issues.ts';
import { prepareIssue, sendIssue } from '../../domain/newsletter/send-issue.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';
import { exitWithError } from '../print-error.ts';
import { describeProgress, followIssue, interruptedNote } from './follow-issue.ts';
import { type IssueFile, readIssueFile } from './issue-file.ts';

type Values = { wait: boolean } & Flags<
  'yes' | 'resendUnconfirmed' | 'resendUnsure' | 'resendFailed' | 'json'
>;

export async function send(
  services: Services,
  file: string,
  { resendUnsure, resendUnconfirmed = resendUnsure ?? false, resendFailed = false, ...values }: Values,
): Promise<void> {
  const { newsletter, domainDeps } = services;
  const { draft } = readIssueFile(file);
  assertLinks(services, draft);
  const prepared = await prepareIssue(domainDeps, draft);
  if (prepared.kind === 'different text') {
    return exitWithError(
      `${draft.name} was queued on ${prepared.queuedAt} with a different text. An issue can be sent only once: ` +
        `${draft.web ? '' : 'rename the file to send it as a new issue, or '}restore its text to continue.`,
    );
  }
  printPlan(services, draft, prepared);
  if (prepared.kind === 'no recipients')
    return printError('no confirmed subscribers to send it to. Nothing was queued.');
  const { counts: before } = prepared;
  if (before?.unconfirmed && !resendUnconfirmed)
    printNote(
      `${formatCount(before.unconfirmed, 'mail')} unconfirmed; resend, possibly twice: --resend-unconfirmed`,
    );
  if (before?.failed && !resendFailed)
    printNote(`${formatCount(before.failed, 'mail')} failed; retry: --resend-failed`);
  if (!(await confirm('Send it?', values, 'Nothing was queued'))) return;

  const { subject, html, text } = newsletter.renderIssue(draft);
  const { name, digest } = draft;
  const issue = { name, digest, subject, html, text };
  const sent = await sendIssue(domainDeps, { ...issue, resendUnconfirmed, resendFailed });
  const { reference, added, released, resent, retried } = sent;
  if (!values.json) {
    printNote(added > 0 ? `${formatCount(added, 'mail')} queued` : 'No new recipients');
    if (released > 0) printNote(`${formatCount(released, 'held mail')} released`);
    if (resendUnconfirmed && resent === 0) printNote(`No unconfirmed mails yet. ${interruptedNote}`);
    if (resent > 0) printNote(`${formatCount(resent, 'unconfirmed mail')} will be sent again`);
    if (retried > 0) printNote(`${formatCount(retried, 'failed mail')} will be retried`);
  }
  const counts = values.wait
    ? await followIssue(domainDeps, { name, reference })
    : await countIssue(domainDeps, reference);
  if (values.json) printJson({ name, reference, added, released, resent, retried, deliveries: counts });
  else if (!values.wait) printNote(`To see its progress: npm run newsletter -- status ${name}`);
  else if (counts) printNote(describeProgress(counts, name));
}

function assertLinks({ newsletter, config }: Services, { web }: IssueFile): void {
  if (!newsletter.links)
    exitWithError('SITE_URL is not set, so the unsubscribe link would not work. Nothing was queued.');
  if (web && !config.siteUrl)
    exitWithError('SITE_URL is not set, so the link to the post would not work. Nothing was queued.');
}

type Plan = {
  confirmed: number;
  counts: IssueCounts | undefined;
  recent: { name: string; queued_at: string } | undefined;
};

function printPlan(
  { config, newsletter }: Services,
  { name, subject, web }: IssueFile,
  { confirmed, counts, recent }: Plan,
): void {
  printNote(`Subject: ${subject}`);
  if (web) printNote(`Web page: ${config.siteUrl}${web} (check that it is online; the mails link to it)`);
  printNote(`Recipients: ${formatCount(confirmed, 'confirmed subscriber')}`);
  if (!config.mail.smtp) {
    const { destination } = newsletter.subscriberMail.newsletter;
    printNote(`SMTP_URL is not set: mails are written as files to ${destination} and not sent.`);
  }
  if (recent) {
    const day = recent.queued_at.slice(0, 10);
    printNote(
      `The last issue, ${recent.name}, was sent on ${day}. Subscribers agreed to at most one a month.`,
    );
  }
  if (counts)
    printNote(`${name} was queued before: ${describeProgress(counts)}. No subscriber receives it twice.`);
}
