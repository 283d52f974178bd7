import type { Clock } from '../../core/clock.ts';
import type { Schedule } from '../../core/database/schedule.ts';
import type { Log } from '../../core/log.ts';
import type { Receiver, ReceiverType } from '../../core/outbox/delivery.ts';
import { describeFailure, readStoredFailure } from '../../core/outbox/failures.ts';
import type { Notice, NotifyOwner } from '../../core/outbox/notify-owner.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { ReceiverStates } from '../../core/outbox/receivers.ts';
import type { ReceiverProblem, ReportProblem } from '../../core/outbox/worker-deps.ts';
import { digestLimit, formatDigest } from './digest.ts';
import type { Messages } from './messages.ts';

/** A digest quotes what strangers wrote, so only its period is stored. */
type StoredNotice = Notice | { digest: { after: string; upTo: string } };

type Problem = ReceiverProblem | 'disk';

const minute = 60_000;
const day = 24 * 60 * minute;
const repeatAfterMs: Record<Problem | 'digest', number> = {
  // Reported within five minutes, but not at every start of a process that crashes.
  paused: 3 * minute,
  failed: day,
  failing: day,
  disk: day,
  digest: 55 * minute,
};
const storeDelayMs = minute;

type NoticeDeps = {
  outbox: Pick<Outbox, 'lastFailed'>;
  receiverStates: Pick<ReceiverStates, 'listPaused'>;
  schedule: Pick<Schedule, 'lastRun'>;
  messages: Pick<Messages, 'listQuarantined' | 'countQuarantined'>;
  listReceivers(): readonly Receiver[];
  notifyOwner: NotifyOwner;
  clock: Clock;
  log: Log;
};

/** What the owner has to know of receivers, the disk and the quarantine. */
export function createOwnerNotices(deps: NoticeDeps) {
  const { outbox, receiverStates, schedule, messages, listReceivers, notifyOwner, clock, log } = deps;
  let hasLowSpace = false;

  const reportProblem: ReportProblem = (receiver, problem, failure) =>
    report(receiver, problem, describeFailure(failure));

  async function report(receiver: Receiver, problem: Problem, reason: string): Promise<void> {
    const { name } = receiver;
    const count = await notifyOwner(
      createRun(`${problem}:${name}`, repeatAfterMs[problem]),
      formatNotice(receiver, problem, reason),
      other => other.name !== name && (problem !== 'disk' || !other.checkDiskSpace),
    );
    if (count === 0) log.error('no other receiver for the notice', { receiver: name, problem });
  }

  /** A process may have ended before it notified the owner. */
  async function reportMissedProblems(): Promise<void> {
    const paused = await receiverStates.listPaused();
    for (const receiver of listReceivers()) {
      const { name, isForOwner } = receiver;
      const pause = paused.find(one => one.name === name);
      if (pause && (await isUnreported(name, 'paused', pause.paused_at))) {
        await reportProblem(receiver, 'paused', pause.failure);
      }
      const failed = isForOwner ? await outbox.lastFailed(name) : undefined;
      const failure = failed && readStoredFailure(failed.reason);
      if (failure && failure.code !== 'erased' && (await isUnreported(name, 'failed', failed.at))) {
        await reportProblem(receiver, 'failed', failure);
      }
    }
  }

  async function isUnreported(name: string, problem: Problem, at: string): Promise<boolean> {
    const reportedAt = await schedule.lastRun(`${problem}:${name}`);
    return reportedAt === undefined || reportedAt < at;
  }

  async function checkDiskSpace(): Promise<void> {
    const files = listReceivers().find(({ checkDiskSpace }) => checkDiskSpace);
    const reason = await files?.checkDiskSpace?.();
    if (reason && !hasLowSpace) log.error('file copies paused', { reason });
    if (!reason && hasLowSpace) log.info('file copies resumed');
    hasLowSpace = reason !== undefined;
    if (files && reason) await report(files, 'disk', reason);
  }

  async function sendDigest(): Promise<void> {
    if (!listReceivers().some(({ takesDigests }) => takesDigests)) return;
    const after = (await schedule.lastRun('digest')) ?? '';
    const { now: upTo, lastRunBefore } = createRun('digest', repeatAfterMs.digest, storeDelayMs);
    if ((await messages.countQuarantined(after, upTo)) === 0) return;
    const notice: StoredNotice = { digest: { after, upTo } };
    const run = { name: 'digest', now: upTo, lastRunBefore };
    await notifyOwner(run, notice, ({ takesDigests }) => takesDigests);
  }

  function createRun(name: string, periodMs: number, agoMs = 0) {
    const now = clock.now().getTime() - agoMs;
    return { name, now: new Date(now).toISOString(), lastRunBefore: new Date(now - periodMs).toISOString() };
  }

  async function run(): Promise<void> {
    await checkDiskSpace();
    await reportMissedProblems();
    await sendDigest();
  }

  return { reportProblem, job: { name: 'maintenance', everyMs: minute, run } };
}

export async function readNotice(
  { messages }: Pick<NoticeDeps, 'messages'>,
  payload: string,
): Promise<Notice> {
  const notice = JSON.parse(payload) as StoredNotice;
  if (!('digest' in notice)) return notice;
  const { after, upTo } = notice.digest;
  const listed = await messages.listQuarantined(after, upTo, digestLimit);
  return formatDigest(listed, await messages.countQuarantined(after, upTo));
}

function formatNotice(
  { name, recipients, showWaiting }: ReceiverType,
  problem: Problem,
  reason: string,
): Notice {
  if (problem === 'disk') {
    return notice(
      'Website: copies as files have stopped',
      `The disk of the website is nearly full: ${reason}.`,
      'Messages are still stored in the database. Their copies in messages.csv and as mails are written by themselves once there is space again.',
      'Make space on the disk of DATA_DIR; when it is full, messages are refused.',
    );
  }
  if (problem === 'failing') {
    return notice(
      `Website: deliveries to the ${recipients} fail`,
      `At least one has failed for more than half an hour, most recently with: ${reason}.`,
      'Nothing is lost: each is tried again for about three days, then it fails permanently. If the receiver refuses all of them, fix that first.',
      `To see what waits: npm run ${showWaiting}`,
    );
  }
  if (problem === 'paused') {
    return notice(
      `Website: deliveries to the ${recipients} are paused`,
      `They cannot be sent: ${reason}.`,
      'Nothing is lost: everything is stored and waits. Correct the settings and restart the website.',
      `To see what waits: npm run ${showWaiting}`,
    );
  }
  return notice(
    `Website: a delivery to the ${recipients} failed permanently`,
    `Its last attempt ended with: ${reason}. The message itself is stored; this delivery is not tried again by itself.`,
    `To see failed deliveries: npm run inbox -- deliveries --failed --to ${name}`,
    `To send it again: npm run inbox -- retry --failed --to ${name}`,
  );
}

function notice(title: string, ...paragraphs: string[]): Notice {
  return { title, text: paragraphs.join('\n\n') };
}
