import { isForOwner, isNewsletterQueue, type ReceiverName } from './delivery.ts';
import { digestLimit, formatDigest } from './digest.ts';
import type { WorkerDeps } from './worker-deps.ts';

type Notice = { title: string; text: string };

/** A digest quotes what strangers wrote, so only its period is stored. */
type StoredNotice = Notice | { digest: { after: string; upTo: string } };

export type ReceiverProblem = 'paused' | 'failed' | 'failing' | 'disk';

export const erasedReason = 'its message was erased';

const minute = 60_000;
const day = 24 * 60 * minute;
const repeatAfterMs: Record<ReceiverProblem | 'digest', number> = {
  // Reported within five minutes, but not at every start of a process that crashes.
  paused: 3 * minute,
  failed: day,
  failing: day,
  disk: day,
  digest: 55 * minute,
};
const storeDelayMs = minute;

export function createOwnerNotices(deps: WorkerDeps, wake: () => void) {
  const { outbox, receiverStates, schedule, messages, receivers, clock, ids, log } = deps;
  let hasLowSpace = false;

  async function notifyOwner(
    receiver: ReceiverName,
    problem: ReceiverProblem,
    reason: string,
  ): Promise<void> {
    const others = receivers
      .filter(({ checkDiskSpace }) => problem !== 'disk' || !checkDiskSpace)
      .map(({ name }) => name)
      .filter(name => name !== receiver && isForOwner(name));
    const run = createRun(`${problem}:${receiver}`, repeatAfterMs[problem]);
    const payload = JSON.stringify(formatNotice(receiver, problem, reason));
    const notice = { reference: ids.reference(), receivers: others, payload, now: run.now };
    const isQueued = await schedule.claimScheduledRun(run, notice);
    if (!isQueued) return;
    if (others.length === 0) log.error('no other receiver for the notice', { receiver, problem });
    wake();
  }

  /** A process may have ended before it notified the owner. */
  async function sendMissedNotices(): Promise<void> {
    const paused = await receiverStates.listPaused();
    for (const { name } of receivers) {
      const pause = paused.find(one => one.name === name);
      if (pause && (await isUnreported(name, 'paused', pause.paused_at))) {
        await notifyOwner(name, 'paused', pause.pause_reason);
      }
      const failed = isForOwner(name) ? await outbox.lastFailed(name) : undefined;
      if (failed && failed.reason !== erasedReason && (await isUnreported(name, 'failed', failed.at))) {
        await notifyOwner(name, 'failed', failed.reason);
      }
    }
  }

  async function isUnreported(name: string, problem: ReceiverProblem, at: string): Promise<boolean> {
    const reportedAt = await schedule.lastRun(`${problem}:${name}`);
    return reportedAt === undefined || reportedAt < at;
  }

  async function checkDiskSpace(): Promise<void> {
    const files = receivers.find(({ checkDiskSpace }) => checkDiskSpace);
    const reason = await files?.checkDiskSpace?.();
    if (reason && !hasLowSpace) log.error('file copies paused', { reason });
    if (!reason && hasLowSpace) log.info('file copies resumed');
    hasLowSpace = reason !== undefined;
    if (files && reason) await notifyOwner(files.name, 'disk', reason);
  }

  async function sendDigest(): Promise<void> {
    if (!receivers.some(({ name }) => name === 'mail')) return;
    const after = (await schedule.lastRun('digest')) ?? '';
    const { now: upTo, lastRunBefore } = createRun('digest', repeatAfterMs.digest, storeDelayMs);
    if ((await messages.countQuarantined(after, upTo)) === 0) return;
    const payload: StoredNotice = { digest: { after, upTo } };
    const isClaimed = await schedule.claimScheduledRun(
      { name: 'digest', now: upTo, lastRunBefore },
      { reference: ids.reference(), receivers: ['mail'], payload: JSON.stringify(payload), now: upTo },
    );
    if (isClaimed) wake();
  }

  function createRun(name: string, periodMs: number, agoMs = 0) {
    const now = clock.now().getTime() - agoMs;
    return { name, now: new Date(now).toISOString(), lastRunBefore: new Date(now - periodMs).toISOString() };
  }

  async function run(): Promise<void> {
    await checkDiskSpace();
    await sendMissedNotices();
    await sendDigest();
  }

  return { notifyOwner, run };
}

export async function readNotice({ messages }: WorkerDeps, payload: string): Promise<Notice> {
  const notice = JSON.parse(payload) as StoredNotice;
  if (!('digest' in notice)) return notice;
  const { after, upTo } = notice.digest;
  const listed = await messages.listQuarantined(after, upTo, digestLimit);
  return formatDigest(listed, await messages.countQuarantined(after, upTo));
}

const labels: Record<ReceiverName, string> = {
  sheet: 'sheet',
  mail: 'mailbox',
  webhook: 'webhook',
  acknowledgements: 'visitors who sent a message',
  confirmations: 'people who signed up for the newsletter',
  newsletter: 'newsletter subscribers',
};

function formatNotice(receiver: ReceiverName, problem: ReceiverProblem, reason: string): Notice {
  const label = labels[receiver];
  if (problem === 'disk') {
    return notice(
      'Website: copies as files have stopped',
      `The disk of the website is nearly full: ${reason}.`,
      'Messages are still stored in the database. Their copies in messages.csv and as mails are written by themselves once there is space again.',
      'Make space on the disk of DATA_DIR; when it is full, messages are refused.',
    );
  }
  const look = isNewsletterQueue(receiver)
    ? 'newsletter -- status'
    : `inbox -- deliveries --waiting --to ${receiver}`;
  if (problem === 'failing') {
    return notice(
      `Website: deliveries to the ${label} fail`,
      `At least one has failed for more than half an hour, most recently with: ${reason}.`,
      'Nothing is lost: each is tried again for about three days, then it fails permanently. If the receiver refuses all of them, fix that first.',
      `To see what waits: npm run ${look}`,
    );
  }
  if (problem === 'paused') {
    return notice(
      `Website: deliveries to the ${label} are paused`,
      `They cannot be sent: ${reason}.`,
      'Nothing is lost: everything is stored and waits. Correct the settings and restart the website.',
      `To see what waits: npm run ${look}`,
    );
  }
  return notice(
    `Website: a delivery to the ${label} failed permanently`,
    `Its last attempt ended with: ${reason}. The message itself is stored; this delivery is not tried again by itself.`,
    `To see failed deliveries: npm run inbox -- deliveries --failed --to ${receiver}`,
    `To send it again: npm run inbox -- retry --failed --to ${receiver}`,
  );
}

function notice(title: string, ...paragraphs: string[]): Notice {
  return { title, text: paragraphs.join('\n\n') };
}
