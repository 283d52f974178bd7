import { setTimeout as wait } from 'node:timers/promises';
import type { Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { changeWhenLoaded } from '../plant.ts';
import { becomesTrueWithin } from '../tools.ts';
import type { FailingReceiver } from './failing-receivers.ts';
import type { FailureMode } from './failure-modes.ts';

/** Hundreds that hang would take hours with the product's own patience; what is left in the end is delivered with that. */
const shortTimeoutEnv = changeWhenLoaded(
  {
    file: 'src/core/outbox/http-client.ts',
    place: 'const defaultTimeoutMs = 15_000;',
    instead: 'const defaultTimeoutMs = 250;',
  },
  {
    file: 'src/core/mail/smtp-transport.ts',
    place: '{ connectMs: 10_000, greetingMs: 10_000, idleMs: 15_000 }',
    instead: '{ connectMs: 250, greetingMs: 250, idleMs: 250 }',
  },
);

/** Two at a time, each twice for the shortened timeout above, on a busy machine. */
const patienceMs = (each: number) => 120_000 + 1000 * each;
/** The product looks up an unanswered call after five seconds, here at once: the fake receiver must have read it by then. */
const onTheWayMs = 2000;

/** In each mode all messages fail once, then about half of them once more, and in the end all arrive. */
export async function tryEveryFailureMode<Failure>(
  fixture: Fixture,
  receiver: FailingReceiver<Failure>,
  modes: readonly FailureMode<Failure>[],
): Promise<Trial> {
  const problems: string[] = [];
  const each = fixture.scale(500, 20);
  const env = { ...shortTimeoutEnv, ...receiver.env };
  let server = await fixture.begin(env);
  const chosen = fixture.isShort ? pickTwo(fixture, modes) : modes;
  for (const { name, failure, restrains } of chosen) {
    receiver.fail(failure, 1);
    const before = receiver.asked();
    const began = performance.now();
    await send(fixture, server.url, each);
    if (restrains) {
      const seconds = fixture.scale(3, 1);
      await becomesTrueWithin(patienceMs(each), () => receiver.asked() > before);
      await wait(seconds * 1000);
      const asked = receiver.asked() - before;
      const passed = Math.ceil((performance.now() - began) / 1000);
      const most = maxRequests[restrains](passed);
      if (asked > most) problems.push(`${receiver.name} ${name}: asked ${asked} times, not ${most} at most`);
    } else {
      const isTried = () => hasNone(fixture, receiver.name, 'attempts = 0');
      if (!(await becomesTrueWithin(patienceMs(each), isTried)))
        problems.push(`${receiver.name} ${name}: not all were tried`);
      receiver.fail(failure, 0.5);
      await wait(fixture.isShort ? 0 : onTheWayMs);
      await makeDue(fixture, 'attempts = 1');
      // Whatever comes makes the product look; otherwise it would do so a few seconds later.
      await send(fixture, server.url, 1);
      const isTriedAgain = () => hasNone(fixture, receiver.name, "attempts = 1 and due_at = '2000'");
      if (!(await becomesTrueWithin(patienceMs(each), isTriedAgain)))
        problems.push(`${receiver.name} ${name}: not all were tried again`);
    }
    receiver.heal();
    if (restrains !== 'until the next start') continue;
    await server.end();
    server = await fixture.begin(env);
  }
  await server.end();
  return settleAndMeasure(fixture, receiver, { tries: chosen.length, problems });
}

/** Within so many seconds, those while messages still came among them. Two are always asked at once. */
const maxRequests: Record<NonNullable<FailureMode<unknown>['restrains']>, (seconds: number) => number> = {
  'for a while': seconds => 2 * (seconds + 1),
  'until the next start': () => 4,
};

/** Two that need no start of their own, by chance. */
function pickTwo<Failure>(
  { random }: Fixture,
  modes: readonly FailureMode<Failure>[],
): FailureMode<Failure>[] {
  const quick = modes.filter(({ restrains }) => !restrains);
  const first = random.pick(quick);
  return [first, random.pick(quick.filter(way => way !== first))];
}

export async function settleAndMeasure(
  fixture: Fixture,
  receiver: Pick<FailingReceiver<never>, 'env' | 'arrivals' | 'findWrongs'>,
  { problems = [], ...trial }: Trial,
): Promise<Trial> {
  await makeDue(fixture, 'attempts > 0');
  await fixture.settle(receiver.env);
  const { corruption, ...figures } = await fixture.measure(receiver.arrivals());
  const found = [...receiver.findWrongs(), ...(corruption ? [corruption] : [])];
  return { ...trial, ...figures, problems: [...problems, ...found] };
}

export async function send(fixture: Fixture, address: string, count: number): Promise<void> {
  const driver = fixture.drive({ connections: Math.min(8, count), address: () => address });
  await driver.acknowledgedMore(count);
  await driver.stop();
}

/** What waits for its next attempt need not wait any longer. */
export async function makeDue({ database }: Fixture, which: string): Promise<void> {
  await database.query(`update deliveries set due_at = '2000' where state = 'waiting' and ${which}`);
}

export async function hasNone({ database }: Fixture, receiver: string, which: string): Promise<boolean> {
  const rows = await database.query(
    `select 1 from deliveries where receiver = '${receiver}' and state in ('waiting', 'sending') and ${which} limit 1`,
  );
  return rows.length === 0;
}
