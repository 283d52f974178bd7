import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataChecks } from '../src/apps/server/launch/checks/data.ts';
import type { CheckContext } from '../src/apps/server/launch/context.ts';
import { runChecks } from '../src/apps/server/launch/run-checks.ts';
import { createClockGuard } from '../src/core/outbox/clock-guard.ts';
import { contactPath } from '../src/features/messages/contract.ts';
import { createMessagesFeature } from '../src/features/messages/feature.ts';
import { signUpPath } from '../src/features/newsletter/contract.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { postJson } from './harness/requests.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, startSite } from './harness/site.ts';
import { stubReceiver } from './harness/stub-receiver.ts';

const minute = 60_000;

test.each(databaseUnderTest)(
  'a wrong clock on $name pauses deliveries and jobs, and logs it, until it is right',
  async ({ name, create }) => {
    await using database = await create();
    const sheet = stubReceiver('sheet');
    let offMs = 0;
    const clock = { now: () => new Date(Date.now() + offMs) };
    await using site = await startSite(database.env, {
      clock,
      features: [createMessagesFeature({ receivers: [sheet] })],
    });
    const countEvents = (event: string) =>
      site.lines.filter(line => line.includes(`"event":"${event}"`)).length;
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const readiness = async () => (await fetch(`${site.origin}/readyz`)).text();
    const checkClock = dataChecks.filter(check => check.name === 'Clock');
    const facts = { config: site.config, site, now: new Date() } as unknown as CheckContext;

    await site.store.messages.add(newMessage({ received_at: at(0) }));
    const old = newMessage({ received_at: at(-10 * 365 * 24 * 60 * minute) });
    await site.store.messages.add(old);
    offMs = -6 * minute;
    await site.worker.start();
    const signUp = { email: 'zoe@example.com', form: 'home', wording: '' };
    expect((await postJson(site.origin + contactPath, { message: 'Please call.' })).status).toBe(200);
    expect((await postJson(site.origin + signUpPath, signUp)).status).toBe(200);

    const against = name === 'PostgreSQL' ? "the database's" : 'the newest message';
    const reason = `the clock is 6 minutes behind ${against}`;
    site.worker.wake();
    await expect
      .poll(() => site.lines.filter(line => line.includes('deliveries paused')))
      .toEqual([expect.stringContaining(reason)]);
    // To a stranger it is ready, without a reason.
    expect(await readiness()).toBe('ready\n');
    // It wakes again, and nothing leaves meanwhile.
    site.worker.wake();
    await wait(300);
    expect(await runChecks(facts, checkClock)).toMatchObject([
      { state: 'failed', detail: expect.stringContaining(reason) },
    ]);
    expect(sheet.payloads).toEqual([]);
    expect(await site.store.signUps.count()).toBe(1);
    // The job that deletes old messages runs when the worker starts.
    expect(await site.store.messages.get(old.reference)).toBeDefined();

    offMs = 0;
    await expect
      .poll(() => {
        site.worker.wake();
        return sheet.payloads.length;
      })
      .toBe(1);
    await expect.poll(() => site.store.signUps.count(), { timeout: 15_000 }).toBe(0);
    expect(await readiness()).toBe('ready\n');
    expect(await runChecks(facts, checkClock)).toMatchObject([{ state: 'ready' }]);
    expect([countEvents('deliveries paused'), countEvents('deliveries resumed')]).toEqual([1, 1]);
  },
  40_000,
);

const now = Date.UTC(2026, 0, 2);
test.each([
  [{ databaseTime: now + 3 * minute }, "the clock is 3 minutes behind the database's"],
  [{ databaseTime: now - 3 * minute }, "the clock is 3 minutes ahead of the database's"],
  // Another process has stored it, whose clock is wrong.
  [{ databaseTime: now, newestMessage: new Date(now + 60 * minute).toISOString() }, undefined],
])('with the reading %j the skew is: %s', async (reading, skew) => {
  const { describeClockSkew } = createClockGuard({
    readClock: async () => ({ newestMessage: undefined, ...reading }),
    clock: { now: () => new Date(now) },
    log: collectLog().log,
  });
  expect(await describeClockSkew()).toBe(skew);
});
