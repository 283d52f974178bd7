import type { Clock } from '../../core/clock.ts';
import type { Schedule, ScheduledRun } from '../../core/database/schedule.ts';
import type { Log } from '../../core/log.ts';
import type { Notice, NotifyOwner } from '../../core/outbox/notify-owner.ts';
import type { Messages } from './messages.ts';

type FloodLimits = { windowMs: number; max: number };

type FloodDeps = {
  schedule: Pick<Schedule, 'lastRun'>;
  messages: Pick<Messages, 'countStored' | 'countQuarantined'>;
  notifyOwner: NotifyOwner;
  clock: Clock;
  log: Log;
};

const [beganRun, endedRun] = ['flood', 'flood ended'];
const never = new Date(0).toISOString();

type Affected = { messages: number; quarantined: number };

/** Reports begin and end of a flood once, over all processes. It ends at half the limit, so that it does not flap. */
export async function watchFlood(deps: FloodDeps, limits: FloodLimits | undefined): Promise<void> {
  const { schedule, messages, clock, log } = deps;
  const now = clock.now().toISOString();
  const [beganAt = never, endedAt = never] = await Promise.all([beganRun, endedRun].map(schedule.lastRun));
  const isOn = beganAt > endedAt;
  const windowMs = limits?.windowMs ?? 0;
  const stored = limits ? await messages.countStored(subtractMs(now, windowMs), now, limits.max + 1) : 0;

  if (limits && !isOn && stored > limits.max) {
    const run = { name: beganRun, lastRunBefore: endedAt, now };
    const notified = await announce(run, subtractMs(now, windowMs));
    if (notified) log.warn('flood began', notified);
  } else if (isOn && stored <= (limits?.max ?? 0) / 2) {
    const run = { name: endedRun, lastRunBefore: subtractMs(beganAt, 1), now };
    const notified = await announce(run, subtractMs(beganAt, windowMs));
    if (notified) log.warn('flood ended', notified);
  }

  async function announce(run: ScheduledRun, since: string): Promise<Affected | undefined> {
    const affected = {
      messages: await messages.countStored(since, run.now),
      quarantined: await messages.countQuarantined(since, run.now),
    };
    const notice = formatNotice(run.name === endedRun, affected, since);
    const count = await deps.notifyOwner(run, notice, ({ isReadAtOnce }) => isReadAtOnce);
    return count === undefined ? undefined : affected;
  }
}

function formatNotice(isOver: boolean, { messages, quarantined }: Affected, since: string): Notice {
  const minute = `${since.slice(0, 16)}Z`;
  const affected = `${messages} ${messages === 1 ? 'message has' : 'messages have'} come since ${minute}, ${quarantined} of them ${quarantined === 1 ? 'is' : 'are'} in quarantine.`;
  return {
    title: `Website: a flood of messages has ${isOver ? 'ended' : 'begun'}`,
    text: [
      affected,
      ...(isOver
        ? []
        : ['A message with no sign of spam is delivered as ever. You will be told when the flood ends.']),
      `To see what is in quarantine: npm run inbox -- list --state quarantined --since ${minute}`,
      `To release all that the flood put there: npm run inbox -- release --reason flood --since ${minute}`,
    ].join('\n\n'),
  };
}

function subtractMs(time: string, ms: number): string {
  return new Date(Date.parse(time) - ms).toISOString();
}
