import type { Clock } from '../../core/clock.ts';
import type { NewsletterIssueRow } from '../../core/database/tables.ts';
import type { Ids } from '../../core/ids.ts';
import type { ReceiverStates } from '../../core/outbox/receivers.ts';
import type { NewsletterIssues } from './newsletter-issues.ts';
import type { IssueCounts } from './read-issues.ts';
import { receiverTypes } from './receiver-types.ts';
import type { Subscribers } from './subscribers.ts';

type PrepareDeps = {
  issues: Pick<NewsletterIssues, 'find' | 'list' | 'count'>;
  subscribers: Pick<Subscribers, 'count'>;
  clock: Clock;
};

type Prepared =
  | { kind: 'different text'; queuedAt: string }
  | {
      kind: 'ready' | 'no recipients';
      confirmed: number;
      counts: IssueCounts | undefined;
      /** Another issue of the last four weeks: subscribers agreed to at most one a month. */
      recent: NewsletterIssueRow | undefined;
    };

const monthMs = 28 * 24 * 60 * 60 * 1000;

export async function prepareIssue(
  { issues, subscribers, clock }: PrepareDeps,
  { name, hash }: Pick<NewsletterIssueRow, 'name' | 'hash'>,
): Promise<Prepared> {
  const known = await issues.find(name);
  if (known && known.hash !== hash) return { kind: 'different text', queuedAt: known.queued_at };
  const confirmed = await subscribers.count('confirmed');
  const counts = known && (await issues.count(known.reference));
  const hasRecipients = confirmed > 0 || Object.values(counts ?? {}).some(count => count > 0);
  const last = (await issues.list(2)).find(other => other.name !== name);
  const isRecent = last && clock.now().getTime() - Date.parse(last.queued_at) < monthMs;
  return {
    kind: hasRecipients ? 'ready' : 'no recipients',
    confirmed,
    counts,
    recent: isRecent ? last : undefined,
  };
}

type SendDeps = {
  issues: Pick<NewsletterIssues, 'find' | 'queue' | 'resume' | 'resendUnconfirmed' | 'resendFailed'>;
  receiverStates: Pick<ReceiverStates, 'resume'>;
  clock: Clock;
  ids: Pick<Ids, 'reference'>;
};

type SendInput = Pick<NewsletterIssueRow, 'name' | 'hash' | 'subject' | 'html' | 'text'> & {
  resendUnconfirmed: boolean;
  resendFailed: boolean;
};

export async function sendIssue(
  { issues, receiverStates, clock, ids }: SendDeps,
  { resendUnconfirmed, resendFailed, ...issue }: SendInput,
) {
  const now = clock.now().toISOString();
  const known = await issues.find(issue.name);
  // A different text may have been queued under the name since it was prepared: then nothing is added.
  const added = await issues.queue(
    known?.hash === issue.hash ? known : { ...issue, reference: ids.reference(), queued_at: now },
  );
  const { reference } = (await issues.find(issue.name)) as NewsletterIssueRow;
  const resumed = await issues.resume(reference, now);
  const resent = resendUnconfirmed ? await issues.resendUnconfirmed(reference, now) : 0;
  const retried = resendFailed ? await issues.resendFailed(reference, now) : 0;
  // Sending again means that the owner has fixed what made the mail server refuse.
  await receiverStates.resume(receiverTypes.issues.name);
  return { reference, added, resumed, resent, retried };
}

type PauseDeps = { issues: Pick<NewsletterIssues, 'pause' | 'count'>; clock: Clock };

/** Deliveries in progress may still arrive; they get the state `held`, like the waiting ones, if they fail. */
export async function pauseIssue(
  { issues, clock }: PauseDeps,
  reference: string,
): Promise<{ held: number; sending: number }> {
  const held = await issues.pause(reference, clock.now().toISOString());
  const { sending } = await issues.count(reference);
  return { held, sending };
}

type ResumeDeps = {
  issues: Pick<NewsletterIssues, 'resume'>;
  receiverStates: Pick<ReceiverStates, 'resume'>;
  clock: Clock;
};

export async function resumeIssue(
  { issues, receiverStates, clock }: ResumeDeps,
  reference: string,
): Promise<{ resumed: number; wasPaused: boolean }> {
  const resumed = await issues.resume(reference, clock.now().toISOString());
  return { resumed, wasPaused: await receiverStates.resume(receiverTypes.issues.name) };
}

type ResendDeps = {
  issues: Pick<NewsletterIssues, 'resendUnconfirmed' | 'resendFailed'>;
  receiverStates: Pick<ReceiverStates, 'resume'>;
  clock: Clock;
};

/** Only mails that were queued before: subscribers who confirmed since are not added. */
export async function resendIssue(
  { issues, receiverStates, clock }: ResendDeps,
  reference: string,
  which: 'failed' | 'unconfirmed',
): Promise<number> {
  const now = clock.now().toISOString();
  const resent = await (which === 'failed'
    ? issues.resendFailed(reference, now)
    : issues.resendUnconfirmed(reference, now));
  await receiverStates.resume(receiverTypes.issues.name);
  return resent;
}
