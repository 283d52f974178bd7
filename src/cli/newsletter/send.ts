import { setTimeout as wait } from 'node:timers/promises';
import type { NewsletterIssue } from '../../content/read-newsletter-issue.ts';
import { isWorkerRunning } from '../../domain/backup/recorded-runs.ts';
import {
  countIssue,
  countUnsent,
  findStallReason,
  type IssueCounts,
} from '../../domain/newsletter/read-issues.ts';
import { prepareIssue, sendIssue } from '../../domain/newsletter/send-issue.ts';
import { findMissingLink } from '../../server/send-test-issue.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { exitWithError, formatCount, printError, printJson, printNote } from '../print.ts';
import { readIssueOrExit } from './issue-file.ts';

type Values = { wait: boolean } & Flags<
  'yes' | 'resendUnconfirmed' | 'resendUnsure' | 'resendFailed' | 'json'
>;

export async function send(
  services: Services,
  file: string,
  { resendUnsure, resendUnconfirmed = resendUnsure ?? false, resendFailed = false, ...values }: Values,
): Promise<void> {
  const { newsletter, domainDeps } = services;
  const draft = readIssueOrExit(file);
  const missing = findMissingLink(services, draft);
  if (missing) exitWithError(`SITE_URL is not set, so the ${missing} would not work. Nothing was queued.`);
  const prepared = await prepareIssue(domainDeps, draft);
  if (prepared.kind === 'different text') {
    return exitWithError(
      `${draft.name} was queued on ${prepared.queuedAt} with a different text. An issue can be sent only once: ` +
        `${draft.webUrl ? '' : 'rename the file to send it as a new issue, or '}restore its text to continue.`,
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
  const { name, hash } = draft;
  const issue = { name, hash, subject, html, text };
  const sent = await sendIssue(domainDeps, { ...issue, resendUnconfirmed, resendFailed });
  const { reference, added, resumed, resent, retried } = sent;
  if (!values.json) {
    printNote(added > 0 ? `${formatCount(added, 'mail')} queued` : 'No new recipients');
    if (resumed > 0) printNote(`${formatCount(resumed, 'held mail')} resumed`);
    if (resendUnconfirmed && resent === 0) printNote(`No unconfirmed mails yet. ${interruptedNote}`);
    if (resent > 0) printNote(`${formatCount(resent, 'unconfirmed mail')} will be sent again`);
    if (retried > 0) printNote(`${formatCount(retried, 'failed mail')} will be retried`);
  }
  const counts = values.wait
    ? await followIssue(domainDeps, { name, reference })
    : await countIssue(domainDeps, reference);
  if (values.json) printJson({ name, reference, added, resumed, resent, retried, deliveries: counts });
  else if (!values.wait) printNote(`To see its progress: npm run newsletter -- status ${name}`);
  else if (counts) printNote(describeProgress(counts, name));
}

type Prepared = Exclude<Awaited<ReturnType<typeof prepareIssue>>, { kind: 'different text' }>;

function printPlan(
  { config, newsletter }: Services,
  { name, subject, webUrl }: NewsletterIssue,
  { confirmed, counts, recent }: Prepared,
): void {
  printNote(`Subject: ${subject}`);
  if (webUrl)
    printNote(`Web page: ${config.siteUrl}${webUrl} (check that it is online; the mails link to it)`);
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

type Deps = Pick<Services['domainDeps'], 'issues' | 'receiverStates' | 'schedule' | 'clock'>;
type Issue = { name: string; reference: string };

const pollMs = 500;
const printEveryMs = 5000;
const stalledMs = 15_000;

/** Undefined after Ctrl+C, which ends only this command: the server goes on sending. */
async function followIssue(deps: Deps, issue: Issue): Promise<IssueCounts | undefined> {
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort();
  process.once('SIGINT', onInterrupt);
  let last = '';
  let printedAt = performance.now();
  let isStalled = false;
  try {
    for (;;) {
      const counts = await countIssue(deps, issue.reference);
      if (countUnsent(counts) === 0) return counts;
      const now = performance.now();
      const progress = describeProgress(counts);
      if (progress !== last && now - printedAt > printEveryMs) {
        printNote(progress);
        last = progress;
        printedAt = now;
        isStalled = false;
      } else if (!isStalled && now - printedAt > stalledMs) {
        isStalled = true;
        printNote(await explainStall(deps, issue, counts));
      }
      await wait(pollMs, undefined, { signal: interrupted.signal });
    }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    printNote((await isWorkerRunning(deps)) ? 'The server continues to send in the background.' : notRunning);
    printNote(`To stop it: npm run newsletter -- stop ${issue.name}`);
    printNote(`To see its progress: npm run newsletter -- status ${issue.name}`);
    return undefined;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

function describeProgress(counts: IssueCounts, name?: string): string {
  const parts = [
    [counts.delivered, 'sent'],
    [countUnsent(counts), 'waiting'],
    [counts.held, 'held'],
    [counts.failed, 'failed'],
    [counts.unconfirmed, 'unconfirmed'],
    [counts.cancelled, 'cancelled'],
  ] as const;
  const shown = parts.flatMap(([number, what]) =>
    number > 0 ? [`${number.toLocaleString('en-GB')} ${what}`] : [],
  );
  const hint =
    name && counts.failed + counts.unconfirmed > 0 ? `; details: npm run newsletter -- status ${name}` : '';
  return `${shown.join(', ') || 'no mails'}${hint}`;
}

const notRunning = 'The site delivers the mails; it is not running. Start it.';
const interruptedNote =
  'Deliveries interrupted by a crash count as unconfirmed two minutes later, while a server is running.';

async function explainStall(
  deps: Deps,
  { reference }: Issue,
  { waiting, sending }: IssueCounts,
): Promise<string> {
  if (waiting === 0 && sending > 0) return `${interruptedNote} Nothing else is waiting.`;
  if (!(await isWorkerRunning(deps))) return notRunning;
  const { paused, lastFailure } = await findStallReason(deps, reference);
  if (paused)
    return `Sending has been paused since ${paused.paused_at}: ${paused.pause_reason}. Fix it, then restart the server.`;
  if (lastFailure) return `The waiting mails have failed and will be retried. Last failure: ${lastFailure}`;
  return `No progress for ${stalledMs / 1000} s.`;
}
