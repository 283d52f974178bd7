import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, flag, type Progress, Refusal } from '../../../core/action.ts';
import { isWorkerRunning } from '../../../core/database/recorded-runs.ts';
import { describeFailure, describeStoredFailure } from '../../../core/outbox/failures.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { formatDay, getLondonDay } from '../../../lib/london-day.ts';
import type { Newsletter } from '../create-newsletter.ts';
import type { ReadableIssue } from '../read-issue-file.ts';
import {
  countIssue,
  countUnsent,
  findStallReason,
  type IssueCounts,
  summarizeCounts,
} from '../read-issues.ts';
import { prepareIssue, sendIssue } from '../send-issue.ts';
import { findMissingLink } from '../send-test-issue.ts';
import { describeWarning, type IssueField } from './issues.ts';

const notRunning = 'The site delivers the mails; it is not running. Start it.';

type PlanNeeds = DepsOf<typeof findMissingLink> & {
  domainDeps: DepsOf<typeof prepareIssue | typeof isWorkerRunning>;
  config: { mail: { smtp?: unknown } };
  newsletter: Pick<Newsletter, 'renderIssue' | 'subscriberMail'>;
};

type FollowDeps = DepsOf<typeof countIssue | typeof findStallReason | typeof isWorkerRunning>;

const defineAction = actionsNeeding<PlanNeeds & { domainDeps: FollowDeps & DepsOf<typeof sendIssue> }>();

/** Why it cannot be sent, or what the owner should know before. */
export async function planIssue(services: PlanNeeds, { issue }: Pick<ReadableIssue, 'issue'>) {
  const { domainDeps, config, newsletter } = services;
  const prepared = await prepareIssue(domainDeps, issue);
  if (prepared.kind === 'different text') {
    const day = formatDay(getLondonDay(new Date(prepared.queuedAt)));
    const refusal = `An issue of this name was sent with a different text on ${day}. Restore that text to continue, or send the new one under another name.`;
    return { confirmed: 0, counts: undefined, notes: [], refusal };
  }
  const { confirmed, counts, recent } = prepared;
  const missing = findMissingLink(services, issue);
  const { destination } = newsletter.subscriberMail.newsletter;
  const recentDay = recent && formatDay(getLondonDay(new Date(recent.queued_at)));
  const notes = [
    !(await isWorkerRunning(domainDeps)) && notRunning,
    !config.mail.smtp &&
      `No mail server is set up (SMTP_URL): mails are written as files to ${destination}, and not sent.`,
    recent &&
      `The last issue, '${recent.subject}', was sent on ${recentDay}. Subscribers agreed to at most one a month.`,
    issue.webUrl && `The mails link to ${config.siteUrl}${issue.webUrl}. Check that it is online.`,
  ].filter(note => typeof note === 'string');
  const refusal = missing
    ? `The site's public address (SITE_URL) is not set, so the ${missing} would not work.`
    : prepared.kind === 'no recipients'
      ? 'There is no confirmed subscriber yet.'
      : null;
  return { confirmed, counts, refusal, notes };
}

export const createSend = (issue: IssueField) =>
  defineAction({
    name: 'send',
    about: 'send an issue to all confirmed subscribers who have not received it',
    examples: ['2026-11.md'],
    input: v.object({
      issue,
      resendUnconfirmed: flag('--resend-unconfirmed', 'resend mails that may or may not have arrived'),
      resendFailed: flag('--resend-failed', 'retry mails that failed'),
      wait: field('--no-wait', 'do not wait for delivery', v.optional(v.boolean(), true)),
    }),
    async confirm(services, { issue: read, resendUnconfirmed, resendFailed }) {
      const { refusal, notes, confirmed, counts } = await planIssue(services, read);
      if (refusal) throw new Refusal(`${refusal} Nothing was queued.`);
      const { name, subject } = read.issue;
      const { unconfirmed = 0, failed = 0 } = counts ?? {};
      return {
        shows: [
          `Subject: ${subject}`,
          `Recipients: ${formatCount(confirmed, 'confirmed subscriber')}`,
          ...read.warnings.map(describeWarning),
          ...notes,
          counts &&
            `${name} was queued before: ${describeProgress(counts)}. No subscriber receives it twice.`,
          unconfirmed > 0 &&
            !resendUnconfirmed &&
            `${formatCount(unconfirmed, 'mail')} unconfirmed; resend, possibly twice: --resend-unconfirmed`,
          failed > 0 && !resendFailed && `${formatCount(failed, 'mail')} failed; retry: --resend-failed`,
        ],
        text: 'Send it?',
        otherwise: 'Nothing was queued',
      };
    },
    async run({ newsletter, domainDeps }, { issue: { issue }, wait: isFollowed, ...resend }, progress) {
      const { name, hash } = issue;
      const { subject, html, text } = newsletter.renderIssue(issue);
      const sent = await sendIssue(domainDeps, { name, hash, subject, html, text, ...resend });
      const { reference } = sent;
      if (!isFollowed) return { name, ...sent, deliveries: await countIssue(domainDeps, reference) };
      for (const line of describeQueued(sent, resend.resendUnconfirmed)) progress?.(line);
      return { name, ...sent, deliveries: await followIssue(domainDeps, { name, reference }, progress) };
    },
    print({ name, deliveries, ...sent }, { wait: isFollowed, resendUnconfirmed }) {
      if (!isFollowed)
        return [
          ...describeQueued(sent, resendUnconfirmed),
          `To see its progress: npm run newsletter -- status ${name}`,
        ];
      if (!deliveries) return [];
      const isOpen = deliveries.failed + deliveries.unconfirmed > 0;
      const hint = isOpen ? `; details: npm run newsletter -- status ${name}` : '';
      return [`${describeProgress(deliveries)}${hint}`];
    },
  });

type Sent = Omit<Awaited<ReturnType<typeof sendIssue>>, 'reference'>;

function describeQueued({ added, resumed, resent, retried }: Sent, isResent: boolean): string[] {
  return [
    added > 0 ? `${formatCount(added, 'mail')} queued` : 'No new recipients',
    resumed > 0 && `${formatCount(resumed, 'held mail')} resumed`,
    isResent && resent === 0 && `No unconfirmed mails yet. ${interruptedNote}`,
    resent > 0 && `${formatCount(resent, 'unconfirmed mail')} will be sent again`,
    retried > 0 && `${formatCount(retried, 'failed mail')} will be retried`,
  ].filter(line => line !== false);
}

function describeProgress(counts: IssueCounts): string {
  const { recipients: _, ...parts } = summarizeCounts(counts);
  const shown = Object.entries(parts).filter(([, number]) => number > 0);
  return shown.map(([what, number]) => `${number.toLocaleString('en-GB')} ${what}`).join(', ') || 'no mails';
}

type Issue = { name: string; reference: string };

const pollMs = 500;
const printEveryMs = 5000;
const stalledMs = 15_000;

/** Undefined after Ctrl+C, which ends only this command: the server goes on sending. */
async function followIssue(
  deps: FollowDeps,
  issue: Issue,
  progress: Progress = () => undefined,
): Promise<IssueCounts | undefined> {
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
      const line = describeProgress(counts);
      if (line !== last && now - printedAt > printEveryMs) {
        progress(line);
        last = line;
        printedAt = now;
        isStalled = false;
      } else if (!isStalled && now - printedAt > stalledMs) {
        isStalled = true;
        progress(await explainStall(deps, issue, counts));
      }
      await wait(pollMs, undefined, { signal: interrupted.signal });
    }
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    progress((await isWorkerRunning(deps)) ? 'The server continues to send in the background.' : notRunning);
    progress(`To stop it: npm run newsletter -- stop ${issue.name}`);
    progress(`To see its progress: npm run newsletter -- status ${issue.name}`);
    return undefined;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

const interruptedNote =
  'Deliveries interrupted by a crash count as unconfirmed two minutes later, while a server is running.';

async function explainStall(
  deps: FollowDeps,
  { reference }: Issue,
  { waiting, sending }: IssueCounts,
): Promise<string> {
  if (waiting === 0 && sending > 0) return `${interruptedNote} Nothing else is waiting.`;
  if (!(await isWorkerRunning(deps))) return notRunning;
  const { paused, lastFailure } = await findStallReason(deps, reference);
  if (paused)
    return `Sending has been paused since ${paused.paused_at}: ${describeFailure(paused.failure)}. Fix it, then restart the server.`;
  if (lastFailure)
    return `The waiting mails have failed and will be retried. Last failure: ${describeStoredFailure(lastFailure)}`;
  return `No progress for ${stalledMs / 1000} s.`;
}
