import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { contactPath, newsletterPath } from '../src/api/contract.ts';
import type { Facts } from '../src/cli/check-launch/check.ts';
import { dataChecks } from '../src/cli/check-launch/checks/data.ts';
import { runChecks } from '../src/cli/check-launch/run-checks.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { newMessage } from './harness/sample-message.ts';
import { startSite, type TestSite } from './harness/site.ts';
import { stubReceiver } from './harness/stub-receiver.ts';

const minute = 60_000;
const offTheDatabase: [number, string][] = [
  [-3 * minute, "the clock is 3 minutes behind the database's"],
  [3 * minute, "the clock is 3 minutes ahead of the database's"],
];

describe.each(databaseUnderTest)('a wrong clock on $name', ({ name, create }) => {
  /** A site whose clock can be moved, with one receiver. */
  async function start(offMs: number) {
    const database = await create();
    const time = { offMs };
    const sheet = stubReceiver('sheet');
    const clock = { now: () => new Date(Date.now() + time.offMs) };
    const site = await startSite(database.env, { clock, receivers: [sheet] });
    const events = (event: string) =>
      site.lines.map(line => JSON.parse(line)).filter(line => line.event === event);
    async function end() {
      await site[Symbol.asyncDispose]();
      await database.remove();
    }
    return { site, sheet, time, events, [Symbol.asyncDispose]: end };
  }

  test('pauses deliveries and jobs, and logs it, until it is right', async () => {
    await using held = await start(0);
    const { site, sheet, time, events } = held;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    await site.store.messages.add(newMessage({ received_at: at(0) }));
    const old = newMessage({ received_at: at(-10 * 365 * 24 * 60 * minute) });
    await site.store.messages.add(old);
    time.offMs = -6 * minute;
    await site.worker.start();
    expect(await post(site, contactPath, { message: 'Please call.' })).toBe(200);
    expect(await post(site, newsletterPath, { email: 'zoe@example.com', form: 'home', wording: '' })).toBe(
      200,
    );
    const against = name === 'PostgreSQL' ? "the database's" : 'the newest message';
    await expectHeld(site, `the clock is 6 minutes behind ${against}`);
    expect(sheet.payloads).toEqual([]);
    expect(await site.store.signUps.count()).toBe(1);
    expect(await site.store.messages.get(old.reference)).toBeDefined();
    expect(events('deliveries held')).toHaveLength(1);

    time.offMs = 0;
    await expect.poll(() => sheet.payloads.length, { timeout: 15_000 }).toBe(1);
    await expect.poll(() => site.store.signUps.count(), { timeout: 15_000 }).toBe(0);
    expect(await readiness(site)).toEqual([200, 'ready\n']);
    expect(await checkLaunch(site)).toMatchObject({ state: 'ready' });
    expect([events('deliveries held').length, events('deliveries no longer held').length]).toEqual([1, 1]);
  });

  test.runIf(name === 'PostgreSQL')(
    'of another process does not pause a process whose clock is right',
    async () => {
      await using right = await start(0);
      const { site, sheet } = right;
      const ahead = new Date(Date.now() + 60 * minute).toISOString();
      await site.store.messages.add(newMessage({ received_at: ahead }));
      await site.worker.start();
      expect(await post(site, contactPath, { message: 'Please call.' })).toBe(200);
      await expect.poll(() => sheet.payloads.length, { timeout: 15_000 }).toBe(1);
    },
  );

  test.runIf(name === 'PostgreSQL').each(offTheDatabase)('%i ms is one', async (offMs, why) => {
    await using held = await start(offMs);
    const { site, sheet, time } = held;
    await site.worker.start();
    expect(await post(site, contactPath, { message: 'Please call.' })).toBe(200);
    await expectHeld(site, why);
    expect(sheet.payloads).toEqual([]);
    time.offMs = 0;
    // What came while the clock was ahead is due when that time has come.
    if (offMs > 0) await expect.poll(() => readiness(site)).toEqual([200, 'ready\n']);
    else await expect.poll(() => sheet.payloads.length, { timeout: 15_000 }).toBe(1);
  });
});

async function post(site: TestSite, path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${site.origin}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return answer.status;
}

/** For longer than a poll takes: nothing may leave meanwhile. */
async function expectHeld(site: TestSite, why: string): Promise<void> {
  for (let seconds = 0; seconds < 6; seconds += 1) {
    site.worker.wake();
    await wait(1000);
  }
  expect(await readiness(site)).toEqual([200, `ready, but deliveries are held: ${why}\n`]);
  expect(await checkLaunch(site)).toMatchObject({ state: 'missing', found: expect.stringContaining(why) });
}

async function readiness({ origin }: TestSite): Promise<[number, string]> {
  const answer = await fetch(`${origin}/readyz`);
  return [answer.status, await answer.text()];
}

async function checkLaunch(site: TestSite) {
  const facts = { config: site.config, site, now: new Date() } as unknown as Facts;
  const [line] = await runChecks(
    facts,
    dataChecks.filter(({ name }) => name === 'Clock'),
  );
  return line;
}
