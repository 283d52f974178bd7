import { isNewsletterQueue, type Receiver } from '../deliveries/delivery.ts';
import { errorFields } from '../lib/log.ts';
import { digestLimit, writeDigest } from './digest.ts';
import type { WorkerDeps } from './worker-deps.ts';

type Notice = { title: string; text: string };

/** A digest quotes what strangers wrote, so only its period is stored. */
type StoredNotice = Notice | { digest: { after: string; upTo: string } };

/** `failing`: a receiver refuses several in a row, or mail to subscribers does not get through. `disk`: it is nearly full. */
export type ReceiverProblem = 'paused' | 'dead' | 'failing' | 'disk';

export const erasedWhy = 'its message was erased';

const minute = 60_000;
const day = 24 * 60 * minute;
const notAgainWithinMs: Record<ReceiverProblem | 'digest', number> = {
  // Reported within five minutes, but not at every start of a process that crashes.
  paused: 3 * minute,
  dead: day,
  failing: day,
  disk: day,
  // Within the hour, including the minutes until it is looked for.
  digest: 55 * minute,
};
/** A message gets its time before it is stored; a digest leaves out the last minute. */
const storedWithinMs = minute;

export function createMaintenanceJobs(deps: WorkerDeps, nudge: () => void) {
  const { outbox, receiverStates, schedule, messages, receivers, clock, ids, log } = deps;
  let hasLowSpace = false;

  async function report(receiver: Receiver['name'], trouble: ReceiverProblem, why: string): Promise<void> {
    const others = receivers
      .filter(({ lowSpace }) => trouble !== 'disk' || !lowSpace)
      .map(({ name }) => name)
      .filter(name => name !== receiver && !isNewsletterQueue(name));
    const payload: StoredNotice = write(receiver, trouble, why);
    const isTold = await schedule.takeTurn(turn(`${trouble}:${receiver}`, notAgainWithinMs[trouble]), {
      reference: ids.reference(),
      receivers: others,
      payload: JSON.stringify(payload),
      now: clock.now().toISOString(),
    });
    if (!isTold) return;
    if (others.length === 0) log.error('no other receiver can be told', { receiver, trouble });
    nudge();
  }

  /** A process may have ended before it could report. */
  async function tellForgotten(): Promise<void> {
    const [paused, failing] = [await receiverStates.listPaused(), await receiverStates.listFailing()];
    for (const { name } of receivers) {
      const pause = paused.find(one => one.name === name);
      if (pause && (await isUntold(name, 'paused', pause.paused_at))) {
        await report(name, 'paused', pause.paused_why);
      }
      const failure = failing.find(one => one.name === name);
      if (failure && (await isUntold(name, 'failing', failure.failing_at))) {
        await report(name, 'failing', failure.failing_why);
      }
      const dead = isNewsletterQueue(name) ? undefined : await outbox.lastDead(name);
      if (dead && dead.why !== erasedWhy && (await isUntold(name, 'dead', dead.at))) {
        await report(name, 'dead', dead.why);
      }
    }
  }

  async function isUntold(name: string, trouble: ReceiverProblem, at: string): Promise<boolean> {
    const told = await schedule.lastTurn(`${trouble}:${name}`);
    return told === undefined || told < at;
  }

  /** All files are on one disk, so the first receiver that writes any is enough. */
  async function watchSpace(): Promise<void> {
    const files = receivers.find(({ lowSpace }) => lowSpace);
    const why = await files?.lowSpace?.();
    if (why && !hasLowSpace) log.error('file copies stopped', { why });
    if (!why && hasLowSpace) log.info('file copies resumed');
    hasLowSpace = why !== undefined;
    if (files && why) await report(files.name, 'disk', why);
  }

  async function sendDigest(): Promise<void> {
    if (!receivers.some(({ name }) => name === 'mail')) return;
    const after = (await schedule.lastTurn('digest')) ?? '';
    const { now: upTo, notSince } = turn('digest', notAgainWithinMs.digest, storedWithinMs);
    if ((await messages.countQuarantined(after, upTo)) === 0) return;
    const payload: StoredNotice = { digest: { after, upTo } };
    const isOurs = await schedule.takeTurn(
      { chore: 'digest', now: upTo, notSince },
      { reference: ids.reference(), receivers: ['mail'], payload: JSON.stringify(payload), now: upTo },
    );
    if (isOurs) nudge();
  }

  function turn(chore: string, periodMs: number, agoMs = 0) {
    const now = clock.now().getTime() - agoMs;
    return { chore, now: new Date(now).toISOString(), notSince: new Date(now - periodMs).toISOString() };
  }

  async function run(): Promise<void> {
    try {
      if (await deps.clockGuard?.findSkew()) return;
      await watchSpace();
      await tellForgotten();
      await sendDigest();
    } catch (error) {
      log.error('outbox chores failed', errorFields(error));
    }
  }

  return { report, tidy: run };
}

export async function readNotice(
  { messages }: Pick<WorkerDeps, 'messages'>,
  payload: string,
): Promise<Notice> {
  const notice = JSON.parse(payload) as StoredNotice;
  if (!('digest' in notice)) return notice;
  const { after, upTo } = notice.digest;
  const listed = await messages.listQuarantined(after, upTo, digestLimit);
  return writeDigest(listed, await messages.countQuarantined(after, upTo));
}

const labels: Record<Receiver['name'], string> = {
  sheet: 'sheet',
  mail: 'mailbox',
  webhook: 'webhook',
  confirmations: 'people who asked for the newsletter',
  newsletter: 'readers of the newsletter',
};

function write(receiver: Receiver['name'], trouble: ReceiverProblem, why: string): Notice {
  const label = labels[receiver];
  if (trouble === 'disk') {
    return notice(
      'Website: copies as files have stopped',
      `The disk of the website is nearly full: ${why}.`,
      'Messages are still stored in the database. Their copies in messages.csv and as mails are written by themselves once there is space again.',
      'Make space on the disk of DATA_DIR; when it is full, messages are refused.',
    );
  }
  if (trouble === 'failing' && isNewsletterQueue(receiver)) {
    return notice(
      `Website: letters to the ${label} do not get through`,
      `At least one has failed for more than half an hour, at last with: ${why}.`,
      'They are tried again for about three days and then given up. If the mail server refuses them all, mend that first.',
      'To see what waits: npm run newsletter -- status',
    );
  }
  if (isNewsletterQueue(receiver)) {
    return notice(
      `Website: letters to the ${label} are paused`,
      `They cannot be sent: ${why}.`,
      'Nothing is lost: the letters wait. Mend the settings and restart the website.',
      'To see what waits: npm run newsletter -- status',
    );
  }
  if (trouble === 'paused') {
    return notice(
      `Website: deliveries to the ${label} are paused`,
      `The ${label} refuses what the website sends: ${why}.`,
      'Nothing is lost: messages are stored and wait. Mend its settings and restart the website.',
      `To see what waits: npm run inbox -- deliveries --waiting --to ${receiver}`,
    );
  }
  if (trouble === 'failing') {
    return notice(
      `Website: the ${label} refuses deliveries`,
      `It refused several in a row, the last with: ${why}.`,
      'Nothing is lost: what it refused is tried again for about three days, and new messages are sent to it one a minute until it accepts one.',
      `To see what waits: npm run inbox -- deliveries --waiting --to ${receiver}`,
    );
  }
  return notice(
    `Website: a delivery to the ${label} was given up`,
    `Its last attempt ended with: ${why}. The message itself is stored; this delivery is not tried again by itself.`,
    `To see what was given up: npm run inbox -- deliveries --dead --to ${receiver}`,
    `To send it again: npm run inbox -- retry --dead --to ${receiver}`,
  );
}

function notice(title: string, ...paragraphs: string[]): Notice {
  return { title, text: paragraphs.join('\n\n') };
}
