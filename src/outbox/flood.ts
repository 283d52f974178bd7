import type { Receiver } from '../deliveries/delivery.ts';
import type { Turn } from '../store/turns.ts';
import type { WorkerDeps } from './worker.ts';

export type FloodLimits = { windowMs: number; max: number };

type FloodDeps = Pick<WorkerDeps, 'outbox' | 'clock' | 'ids' | 'log'> & {
  messages: Pick<WorkerDeps['messages'], 'countStored' | 'countQuarantined'>;
  receivers: readonly Pick<Receiver, 'name'>[];
  /** Told that a notice waits. */
  nudge(): void;
};

/** When the last flood began and ended: both are kept in the database, for all processes and for the next start. */
const [beganTurn, endedTurn] = ['flood', 'flood ended'];
const never = new Date(0).toISOString();

type Affected = { messages: number; quarantined: number };
type Flood = { beganAt: string; endedAt: string; isOn: boolean };

async function readFlood(outbox: Pick<WorkerDeps['outbox'], 'lastTurn'>): Promise<Flood> {
  const [beganAt = never, endedAt = never] = await Promise.all([beganTurn, endedTurn].map(outbox.lastTurn));
  return { beganAt, endedAt, isOn: beganAt > endedAt };
}

/**
 * Tells the owner when a flood begins and when it ends, once each whatever the number of processes. It ends when half as many
 * messages come as make one, so that it does not begin again at once. Without limits there is none.
 */
export async function watchFlood(deps: FloodDeps, limits: FloodLimits | undefined): Promise<void> {
  const { outbox, messages, clock, log } = deps;
  const now = clock.now().toISOString();
  const { beganAt, endedAt, isOn } = await readFlood(outbox);
  const windowMs = limits?.windowMs ?? 0;
  const stored = limits ? await messages.countStored(earlier(now, windowMs), now, limits.max + 1) : 0;

  if (limits && !isOn && stored > limits.max) {
    // After the last end, also where the clock was put back since.
    const began = now > endedAt ? now : earlier(endedAt, -1);
    const turn = { chore: beganTurn, notSince: endedAt, now: began };
    const told = await tell(turn, earlier(began, windowMs));
    if (told) log.warn('flood began', told);
  } else if (isOn && stored <= (limits?.max ?? 0) / 2) {
    const turn = { chore: endedTurn, notSince: earlier(beganAt, 1), now: now > beganAt ? now : beganAt };
    const told = await tell(turn, earlier(beganAt, windowMs));
    if (told) log.warn('flood ended', told);
  }

  /** How much is affected, where it was this process that told it. */
  async function tell(turn: Turn, since: string): Promise<Affected | undefined> {
    const affected = {
      messages: await messages.countStored(since, turn.now),
      quarantined: await messages.countQuarantined(since, turn.now),
    };
    const isOurs = await outbox.takeTurn(turn, {
      reference: deps.ids.reference(),
      receivers: deps.receivers.map(({ name }) => name).filter(isTold),
      payload: JSON.stringify(writeNotice(turn.chore === endedTurn, affected, since)),
      now,
    });
    if (!isOurs) return undefined;
    deps.nudge();
    return affected;
  }
}

/** A notice is no row of the sheet. */
function isTold(name: Receiver['name']): boolean {
  return name === 'mail' || name === 'webhook';
}

/** Whether messages wait to be sent as one mail: while a flood lasts, and until what came during it has been tried. */
export async function isGrouping(
  outbox: Pick<WorkerDeps['outbox'], 'lastTurn' | 'count'>,
  receiver: string,
  now: string,
): Promise<boolean> {
  const { endedAt, isOn } = await readFlood(outbox);
  // An end that lies ahead was taken from a clock that has since been put right.
  if (isOn || endedAt === never || endedAt > now) return isOn;
  const left = {
    receiver,
    kinds: ['message'],
    states: ['waiting'],
    createdUpTo: endedAt,
    dueUpTo: now,
  } as const;
  return (await outbox.count(left, 1)) > 0;
}

function writeNotice(
  isOver: boolean,
  { messages, quarantined }: Affected,
  since: string,
): { title: string; text: string } {
  // To the minute, so that it is easily typed; the minute itself is included.
  const minute = `${since.slice(0, 16)}Z`;
  const affected = `${messages} ${messages === 1 ? 'message has' : 'messages have'} come since ${minute}, ${quarantined} of them ${quarantined === 1 ? 'is' : 'are'} in quarantine.`;
  return {
    title: `Website: a flood of messages has ${isOver ? 'ended' : 'begun'}`,
    text: [
      affected,
      isOver
        ? 'Mails about messages come one by one again.'
        : 'A message with no sign of spam is delivered as ever. Mails about messages are grouped: one every ten minutes, until the flood ends. You will be told when it does.',
      `To see what is in quarantine: npm run inbox -- list --state quarantined --since ${minute}`,
      `To release all that the flood put there: npm run inbox -- release --reason flood --since ${minute}`,
    ].join('\n\n'),
  };
}

function earlier(time: string, ms: number): string {
  return new Date(Date.parse(time) - ms).toISOString();
}
