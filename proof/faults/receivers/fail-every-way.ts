import { setTimeout as wait } from 'node:timers/promises';
import { changeWhenLoaded } from '../changes.ts';
import type { Trial } from '../family.ts';
import type { Ground } from '../ground.ts';
import { isSoWithin } from '../tools.ts';
import type { FailingReceiver } from './failing-receivers.ts';
import type { Way } from './ways.ts';

/** Hundreds that hang would take hours with the product's own patience; what is left in the end is delivered with that. */
const impatientEnv = changeWhenLoaded(
  {
    file: 'src/deliveries/http-client.ts',
    place: 'const defaultTimeoutMs = 15_000;',
    instead: 'const defaultTimeoutMs = 250;',
  },
  {
    file: 'src/deliveries/mail/smtp-transport.ts',
    place: '{ connectMs: 10_000, greetingMs: 10_000, idleMs: 15_000 }',
    instead: '{ connectMs: 250, greetingMs: 250, idleMs: 250 }',
  },
);

/** Two at a time, each as long as the impatience above lets it, twice; and a machine that does other things as well. */
const patienceMs = (each: number) => 120_000 + 1000 * each;
/**
 * The product asks five seconds later what became of a call that nobody answered. Here it is made to ask at once, so what
 * was given up must have been read by then: whoever stands in for a receiver may be late on a busy machine.
 */
const onTheWayMs = 2000;

/** In each way: all of the messages fail once, then about half of them once more, and in the end all arrive. */
export async function failEveryWay<Failure>(
  ground: Ground,
  receiver: FailingReceiver<Failure>,
  ways: readonly Way<Failure>[],
): Promise<Trial> {
  const wrongs: string[] = [];
  const each = ground.scale(500, 20);
  const env = { ...impatientEnv, ...receiver.env };
  let server = ground.start(env);
  let address = await server.address();
  const chosen = ground.isShort ? pickTwo(ground, ways) : ways;
  for (const { name, failure, restrains } of chosen) {
    receiver.fail(failure, 1);
    const before = receiver.asked();
    const began = performance.now();
    await send(ground, address, each);
    if (restrains) {
      const seconds = ground.scale(3, 1);
      await isSoWithin(patienceMs(each), () => receiver.asked() > before);
      await wait(seconds * 1000);
      const asked = receiver.asked() - before;
      const passed = Math.ceil((performance.now() - began) / 1000);
      const most = mostAsked[restrains](passed);
      if (asked > most) wrongs.push(`${receiver.name} ${name}: asked ${asked} times, not ${most} at most`);
    } else {
      const isTried = () => hasNone(ground, receiver.name, 'attempts = 0');
      if (!(await isSoWithin(patienceMs(each), isTried)))
        wrongs.push(`${receiver.name} ${name}: not all were tried`);
      receiver.fail(failure, 0.5);
      await wait(ground.isShort ? 0 : onTheWayMs);
      await makeDue(ground, 'attempts = 1');
      // Whatever comes makes the product look; otherwise it would do so a few seconds later.
      await send(ground, address, 1);
      const isTriedAgain = () => hasNone(ground, receiver.name, "attempts = 1 and due_at = '2000'");
      if (!(await isSoWithin(patienceMs(each), isTriedAgain)))
        wrongs.push(`${receiver.name} ${name}: not all were tried again`);
    }
    receiver.heal();
    if (
      restrains === 'until it accepts one' &&
      !(await isSoWithin(patienceMs(each), () => hasRecovered(ground)))
    )
      wrongs.push(`${receiver.name} ${name}: it accepted, and was still failing`);
    if (restrains !== 'until the next start') continue;
    server.child.kill('SIGTERM');
    await server.ended;
    server = ground.start(env);
    address = await server.address();
  }
  server.child.kill('SIGTERM');
  await server.ended;
  return settleAndMeasure(ground, receiver, { tries: chosen.length, wrongs });
}

/** Within so many seconds, those while messages still came among them. Two are always asked at once. */
const mostAsked: Record<NonNullable<Way<unknown>['restrains']>, (seconds: number) => number> = {
  'for a while': seconds => 2 * (seconds + 1),
  // Three, those under way with them, one a minute; and each of them again five seconds later.
  'until it accepts one': seconds => 2 * (6 + Math.ceil(seconds / 60)),
  'until the next start': () => 4,
};

/** Two that need no start of their own, by chance. */
function pickTwo<Failure>({ random }: Ground, ways: readonly Way<Failure>[]): Way<Failure>[] {
  const quick = ways.filter(({ restrains }) => !restrains);
  const first = random.pick(quick);
  return [first, random.pick(quick.filter(way => way !== first))];
}

export async function settleAndMeasure(
  ground: Ground,
  receiver: Pick<FailingReceiver<never>, 'env' | 'arrivals' | 'findWrongs'>,
  { wrongs = [], ...trial }: Trial,
): Promise<Trial> {
  await makeDue(ground, 'attempts > 0');
  await ground.settle(receiver.env);
  const { corruption, ...figures } = await ground.measure(receiver.arrivals());
  const found = [...receiver.findWrongs(), ...(corruption ? [corruption] : [])];
  return { ...trial, ...figures, wrongs: [...wrongs, ...found] };
}

export async function send(ground: Ground, address: string, count: number): Promise<void> {
  const driver = ground.drive({ connections: Math.min(8, count), address: () => address });
  await driver.acknowledgedMore(count);
  await driver.stop();
}

/** What waits for its next attempt need not wait any longer. */
export async function makeDue({ database }: Ground, which: string): Promise<void> {
  await database.query(`update deliveries set due_at = '2000' where state = 'waiting' and ${which}`);
}

async function hasRecovered({ database }: Ground): Promise<boolean> {
  return (await database.query('select 1 from receivers where failing_at is not null')).length === 0;
}

export async function hasNone({ database }: Ground, receiver: string, which: string): Promise<boolean> {
  const rows = await database.query(
    `select 1 from deliveries where receiver = '${receiver}' and state in ('waiting', 'sending') and ${which} limit 1`,
  );
  return rows.length === 0;
}
