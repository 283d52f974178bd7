import { isLetterLine, type Receiver } from '../deliveries/delivery.ts';
import { errorFields } from '../lib/log.ts';
import { leaseMs } from './backoff.ts';
import { digestLimit, writeDigest } from './digest.ts';
import type { WorkerDeps } from './worker.ts';

/** Words of the site's own. A digest holds what strangers wrote, so only its period is kept and the text made late. */
export type NoticePayload = { title: string; text: string } | { digest: { after: string; upTo: string } };

/**
 * `failing`: a receiver refuses one delivery after the other, or letters to subscribers do not get through. `disk`: no file
 * is written.
 */
export type Trouble = 'paused' | 'dead' | 'failing' | 'disk';

/** Why a delivery ends that nobody need be told of. */
export const erasedWhy = 'its message was erased';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Trouble of one kind with one receiver is told once in this time; a digest is sent once in its own. */
const notAgainWithinMs: Record<Trouble | 'digest', number> = {
  // Less than the five minutes in which news of it is due, and more than a process that starts again and again takes.
  paused: 3 * minute,
  dead: day,
  failing: day,
  disk: day,
  // What is quarantined is told within the hour, the minutes until it is looked for and stored included.
  digest: 55 * minute,
};
/** A message gets its time a little before it is stored; a digest leaves out what may not be there yet. */
const storedWithinMs = minute;

export function createChores(deps: WorkerDeps, nudge: () => void) {
  const { outbox, messages, receivers, clock, ids, log } = deps;
  let hasLowSpace = false;

  /** Nothing fails in silence: the others carry the news. */
  async function report(receiver: Receiver['name'], trouble: Trouble, why: string): Promise<void> {
    const others = receivers
      .filter(({ lowSpace }) => trouble !== 'disk' || !lowSpace)
      .map(({ name }) => name)
      .filter(name => name !== receiver && !isLetterLine(name));
    const payload: NoticePayload = write(receiver, trouble, why);
    const isTold = await outbox.takeTurn(turn(`${trouble}:${receiver}`, notAgainWithinMs[trouble]), {
      reference: ids.reference(),
      receivers: others,
      payload: JSON.stringify(payload),
      now: clock.now().toISOString(),
    });
    if (!isTold) return;
    if (others.length === 0) log.error('no other receiver can be told', { receiver, trouble });
    nudge();
  }

  /** A process may have ended between the trouble and the telling. */
  async function tellForgotten(): Promise<void> {
    const [paused, failing] = [await outbox.listPaused(), await outbox.listFailing()];
    for (const { name } of receivers) {
      const pause = paused.find(one => one.name === name);
      if (pause && (await isUntold(name, 'paused', pause.paused_at))) {
        await report(name, 'paused', pause.paused_why);
      }
      const failure = failing.find(one => one.name === name);
      if (failure && (await isUntold(name, 'failing', failure.failing_at))) {
        await report(name, 'failing', failure.failing_why);
      }
      const dead = isLetterLine(name) ? undefined : await outbox.lastDead(name);
      if (dead && dead.why !== erasedWhy && (await isUntold(name, 'dead', dead.at))) {
        await report(name, 'dead', dead.why);
      }
    }
  }

  async function isUntold(name: string, trouble: Trouble, at: string): Promise<boolean> {
    const told = await outbox.lastTurn(`${trouble}:${name}`);
    return told === undefined || told < at;
  }

  /** All files are on one disk: the first receiver that writes any speaks for them. */
  async function watchSpace(): Promise<void> {
    const files = receivers.find(({ lowSpace }) => lowSpace);
    const why = await files?.lowSpace?.();
    if (why && !hasLowSpace) log.error('file copies stopped', { why });
    if (!why && hasLowSpace) log.info('file copies resumed');
    hasLowSpace = why !== undefined;
    if (files && why) await report(files.name, 'disk', why);
  }

  /** Once an hour, when there is anything new, whatever the number of processes. */
  async function sendDigest(): Promise<void> {
    if (!receivers.some(({ name }) => name === 'mail')) return;
    const last = (await outbox.lastTurn('digest')) ?? '';
    const { now: upTo, notSince } = turn('digest', notAgainWithinMs.digest, storedWithinMs);
    // A clock that ran ahead has been put right since: the last period is told again rather than none.
    const after = last > upTo ? notSince : last;
    if ((await messages.countQuarantined(after, upTo)) === 0) return;
    const payload: NoticePayload = { digest: { after, upTo } };
    const isOurs = await outbox.takeTurn(
      { chore: 'digest', now: upTo, notSince },
      { reference: ids.reference(), receivers: ['mail'], payload: JSON.stringify(payload), now: upTo },
    );
    if (isOurs) nudge();
  }

  /** A clock that ran ahead leaves behind what would wait until its time has come. */
  async function hastenPutOff(): Promise<void> {
    const now = clock.now().getTime();
    const after = (ms: number) => new Date(now + ms).toISOString();
    for (const { name } of receivers) {
      const times = { now: after(0), leaseUntil: after(leaseMs), tooLate: after(leaseMs + minute) };
      const deliveries = await outbox.hasten(name, times);
      if (deliveries === 0) continue;
      log.warn('deliveries hastened', {
        receiver: name,
        deliveries,
        why: 'the clock was ahead when they came',
      });
      nudge();
    }
  }

  function turn(chore: string, periodMs: number, agoMs = 0) {
    const now = clock.now().getTime() - agoMs;
    return { chore, now: new Date(now).toISOString(), notSince: new Date(now - periodMs).toISOString() };
  }

  async function tidy(): Promise<void> {
    try {
      await watchSpace();
      await hastenPutOff();
      await tellForgotten();
      await sendDigest();
    } catch (error) {
      log.error('outbox chores failed', errorFields(error));
    }
  }

  return { report, tidy };
}

/** The words of a notice, as its receiver gets them. */
export async function readNotice(
  { messages }: Pick<WorkerDeps, 'messages'>,
  payload: string,
): Promise<{ title: string; text: string }> {
  const notice = JSON.parse(payload) as NoticePayload;
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

function write(receiver: Receiver['name'], trouble: Trouble, why: string): { title: string; text: string } {
  const label = labels[receiver];
  if (trouble === 'disk') {
    return {
      title: 'Website: copies as files have stopped',
      text: [
        `The disk of the website is nearly full: ${why}.`,
        'Messages are still stored in the database. Their copies in messages.csv and as mails are written by themselves once there is space again.',
        'Make space on the disk of DATA_DIR; when it is full, messages are refused.',
      ].join('\n\n'),
    };
  }
  if (trouble === 'failing' && isLetterLine(receiver)) {
    return {
      title: `Website: letters to the ${label} do not get through`,
      text: [
        `At least one has failed for more than half an hour, at last with: ${why}.`,
        'They are tried again for about three days and then given up. If the mail server refuses them all, mend that first.',
        'To see what waits: npm run newsletter -- status',
      ].join('\n\n'),
    };
  }
  if (isLetterLine(receiver)) {
    return {
      title: `Website: letters to the ${label} are paused`,
      text: [
        `They cannot be sent: ${why}.`,
        'Nothing is lost: the letters wait. Mend the settings and restart the website.',
        'To see what waits: npm run newsletter -- status',
      ].join('\n\n'),
    };
  }
  if (trouble === 'paused') {
    return {
      title: `Website: deliveries to the ${label} are paused`,
      text: [
        `The ${label} refuses what the website sends: ${why}.`,
        'Nothing is lost: messages are stored and wait. Mend its settings and restart the website.',
        `To see what waits: npm run inbox -- deliveries --waiting --to ${receiver}`,
      ].join('\n\n'),
    };
  }
  if (trouble === 'failing') {
    return {
      title: `Website: the ${label} refuses deliveries`,
      text: [
        `It refused several in a row, the last with: ${why}.`,
        'Nothing is lost: what it refused is tried again for about three days, and new messages are sent to it one a minute until it accepts one.',
        `To see what waits: npm run inbox -- deliveries --waiting --to ${receiver}`,
      ].join('\n\n'),
    };
  }
  return {
    title: `Website: a delivery to the ${label} was given up`,
    text: [
      `Its last attempt ended with: ${why}. The message itself is stored; this delivery is not tried again by itself.`,
      `To see what was given up: npm run inbox -- deliveries --dead --to ${receiver}`,
      `To send it again: npm run inbox -- retry --dead --to ${receiver}`,
    ].join('\n\n'),
  };
}
