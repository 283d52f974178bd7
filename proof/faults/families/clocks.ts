import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Copy, StartedProcess } from '../../../tests/harness/process.ts';
import type { Driver } from '../driver.ts';
import type { Family, Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { plant } from '../plant.ts';
import { becomesTrueWithin } from '../tools.ts';
import { patienceMs, tryEach } from '../try-each.ts';

const onBoth = { databases: ['SQLite', 'PostgreSQL'], isLongOnly: true } as const;

/** A clock that jumps, and a process that was suspended for longer than any timeout. */
export const clocks: Family = {
  name: 'clocks',
  faults: [
    {
      ...{ ...onBoth, name: 'a day back, and ahead', isLongOnly: false, shortDatabases: ['SQLite'] },
      run: jumpBack,
    },
    { ...onBoth, name: 'a process sleeps', plant: plantShortLeases, run: sleepAlone },
    {
      ...{ name: 'a process sleeps, and another takes over', databases: ['PostgreSQL'], isLongOnly: true },
      ...{ plant: plantShortLeases, run: sleepBesideAnother },
    },
  ],
};

const day = 24 * 60 * 60 * 1000;

/** Under load, with deliveries under way: messages are taken whatever the time is, and passed on while it is right. */
async function jumpBack(fixture: Fixture): Promise<Trial> {
  const clock = createClock(fixture);
  const driving = { connections: 8, perSecond: 100 };
  const setting = { tries: fixture.scale(20, 1), env: clock.env, driving, mayRefuse: false };
  return tryEach(fixture, setting, async ({ server, driver, problems }) => {
    const paused = countEvents(server, 'deliveries paused');
    await driver.acknowledgedMore(fixture.random.between(20, 80));
    clock.set(server, -day);
    const isHeld = () => countEvents(server, 'deliveries paused') === paused + 1;
    if (!(await becomesTrueWithin(patienceMs, isHeld))) problems.push('deliveries were not held');
    await driver.acknowledgedMore(fixture.random.between(20, 80));
    clock.set(server, 0);
    if (!(await delivers(fixture, driver)))
      problems.push('nothing was delivered with a clock that is right again');
  });
}

type MovedClock = { env: Record<string, string>; set(server: StartedProcess, offMs: number): void };

/** The product has no switch for its clock: a module that is loaded before it moves the one it sees. */
function createClock(fixture: Fixture): MovedClock {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-clock-'));
  fixture.defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'off');
  writeFileSync(file, '0');
  const preload = pathToFileURL(join(import.meta.dirname, '../drivers/moved-clock.ts')).href;
  return {
    env: { NODE_OPTIONS: `--import=${preload}`, FAULT_CLOCK: file },
    set({ child }, offMs) {
      writeFileSync(file, String(offMs));
      child.kill('SIGUSR2');
    },
  };
}

/** Whether rows go on to arrive while more are sent. */
async function delivers({ sheet }: Fixture, driver: Driver): Promise<boolean> {
  const before = sheet.rows.length;
  await driver.acknowledgedMore(10);
  return becomesTrueWithin(patienceMs, () => sheet.rows.length >= before + 10);
}

/** A fortieth of the product's own times, whose proportions stay: an attempt ends before a lease does. */
function plantShortLeases(copy: Copy): void {
  plant(copy, 'src/core/outbox/delivery-queue.ts', 'const attemptMs = 40_000;', 'const attemptMs = 1000;');
  plant(copy, 'src/core/outbox/delivery-queue.ts', 'leaseMs = 2 * 60 * 1000;', 'leaseMs = 3000;');
  plant(
    copy,
    'src/core/outbox/http-client.ts',
    'const defaultTimeoutMs = 15_000;',
    'const defaultTimeoutMs = 900;',
  );
}

const leaseMs = 3000;

/** Stopped for longer than its own leases last: what it held on to is not sent beside itself when it wakes up. */
async function sleepAlone(fixture: Fixture): Promise<Trial> {
  const setting = { tries: fixture.scale(20, 1), driving: { connections: 16, perSecond: 300 } };
  return tryEach(fixture, setting, async ({ server, driver, problems }) => {
    await driver.acknowledgedMore(fixture.random.between(20, 100));
    await sleep(server, leaseMs + fixture.random.between(200, 1500));
    if (!(await delivers(fixture, driver))) problems.push('nothing was delivered after the sleep');
  });
}

/** What the sleeping one held is another's by the time it wakes up and goes on where it was. */
async function sleepBesideAnother(fixture: Fixture): Promise<Trial> {
  const tries = fixture.scale(20, 1);
  const problems: string[] = [];
  const servers = await Promise.all([fixture.begin(), fixture.begin()]);
  const drivers = servers.map(({ url }) =>
    fixture.drive({ connections: 8, perSecond: 150, address: () => url }),
  );
  for (let count = 0; count < tries; count += 1) {
    const [asleep, awake] = fixture.random.pick([
      [0, 1],
      [1, 0],
    ] as const);
    await drivers[asleep]?.acknowledgedMore(fixture.random.between(20, 100));
    // Long enough for the other to poll for expired leases, which it does every five seconds or when it is woken.
    await sleep(servers[asleep] as StartedProcess, leaseMs + fixture.random.between(1000, 3000));
    if (!(await delivers(fixture, drivers[awake] as Driver)))
      problems.push('nothing was delivered after the sleep');
  }
  for (const driver of drivers) await driver.stop();
  await Promise.all(servers.map(server => server.end()));
  const takenOver = servers.reduce((sum, server) => sum + countEvents(server, 'lease lost'), 0);
  const notes = [`${takenOver} deliveries were settled by another`];
  // A request to a suspended process is answered when it resumes, if only with 503.
  const odd = drivers.flatMap(driver => driver.findOdd(200, 503));
  return { tries, problems: [...problems, ...odd], notes };
}

async function sleep({ child }: StartedProcess, ms: number): Promise<void> {
  child.kill('SIGSTOP');
  try {
    await wait(ms);
  } finally {
    child.kill('SIGCONT');
  }
}

function countEvents(server: StartedProcess, event: string): number {
  return server.output().split(`"${event}"`).length - 1;
}
