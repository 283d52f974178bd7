import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Postgres } from '../../../tests/harness/postgres.ts';
import type { Driver } from '../driver.ts';
import type { Family, Trial } from '../family.ts';
import type { Ground } from '../ground.ts';
import { createRelay, type Relay } from '../relay.ts';
import { endsWithin, isSoWithin, statusOf } from '../tools.ts';
import { laterMigrations, plantLaterMigrations } from './later-migrations.ts';

const onPostgres = { databases: ['PostgreSQL'], isLongOnly: true } as const;

/** A database server that stops, crashes, hangs up, has no room, is slow or silent, or is changed while it is used. */
export const database: Family = {
  name: 'database',
  faults: [
    { ...onPostgres, name: 'stopped and started', server: {}, run: stopServer },
    { ...onPostgres, name: 'crashes', server: {}, run: crashServer },
    { ...onPostgres, name: 'cuts its connections', isLongOnly: false, run: terminateConnections },
    { ...onPostgres, name: 'out of connections', server: { max_connections: '16' }, run: takeConnections },
    { ...onPostgres, name: 'slow', run: slowDown },
    { ...onPostgres, name: 'cut off or silent', run: cutOff },
    { ...onPostgres, name: 'migrations while serving', plant: plantLaterMigrations, run: migrateServing },
  ],
};

const patienceMs = 30_000;
const connections = 16;

/** Away for up to three seconds: 503 and unready meanwhile, and well again by itself. */
function stopServer(ground: Ground): Promise<Trial> {
  return tryEach(ground, { tries: ground.scale(30, 1) }, async (address, wrongs) => {
    const server = serverOf(ground);
    await server.halt();
    try {
      if (!(await isSoWithin(patienceMs, async () => (await statusOf(address, '/readyz')) === 503))) {
        wrongs.push('ready without a database');
      }
      await wait(ground.random.next() * 3000);
    } finally {
      await server.resume();
    }
    await assertReady(address, wrongs);
  });
}

/** Half of the times the whole server, half of them one of our connections, which takes all others with it. */
function crashServer(ground: Ground): Promise<Trial> {
  return tryEach(ground, { tries: ground.scale(30, 1) }, async (address, wrongs) => {
    const server = serverOf(ground);
    const [ours] = ground.random.chance(0.5)
      ? []
      : await ground.database.query(`select pid ${ourConnections}`);
    if (ours) process.kill(Number(ours.pid), 'SIGKILL');
    else {
      await server.halt('SIGQUIT');
      await server.resume();
    }
    await assertReady(address, wrongs);
  });
}

const ourConnections =
  "from pg_stat_activity where application_name = 'wardhouse' and datname = current_database()";

function terminateConnections(ground: Ground): Promise<Trial> {
  return tryEach(ground, { tries: ground.scale(200, 2) }, async () => {
    await wait(ground.random.next() * 100);
    await ground.database.query(`select pg_terminate_backend(pid) ${ourConnections}`);
  });
}

/** Others take what is left, all of it or all but a few, and ours are cut off, so that they have to ask for a place. */
function takeConnections(ground: Ground): Promise<Trial> {
  return tryEach(ground, { tries: ground.scale(20, 1) }, async (address, wrongs) => {
    const taken: pg.Client[] = [];
    try {
      await takeAll(ground, taken);
      const left = ground.random.pick([0, 0, 1, 3]);
      for (const client of taken.splice(taken.length - left, left)) await client.end();
      await wait(ground.random.between(200, 3000));
    } finally {
      for (const client of taken) await client.end();
    }
    await assertReady(address, wrongs);
  });
}

/** Until there is none left, and none of ours. */
async function takeAll(ground: Ground, taken: pg.Client[]): Promise<void> {
  const killer = await connectTo(ground);
  taken.push(killer);
  for (;;) {
    const more = await connectTo(ground).catch(error => {
      if (error instanceof pg.DatabaseError && error.code === tooMany) return undefined;
      throw error;
    });
    if (more) taken.push(more);
    const { rows } = await killer.query(`select pg_terminate_backend(pid) ${ourConnections}`);
    if (!more && rows.length === 0) return;
  }
}

const tooMany = '53300';

async function connectTo({ database: { env } }: Ground): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL ?? '' });
  // It may be cut off with the others.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** So slow that a few messages at once are still stored in time: nobody is refused. */
async function slowDown(ground: Ground): Promise<Trial> {
  await using relay = await relayTo(ground);
  return await tryEach(ground, { tries: ground.scale(10, 1), relay, mayRefuse: false }, async () => {
    relay.delay(() => ground.random.between(10, 150));
    await wait(ground.random.between(2000, 5000));
    relay.pass();
  });
}

const breaks = ['cut', 'cut', 'answers', 'answers', 'answers', 'refuse', 'hush'] as const;

/** The way to the database breaks: at once, with an answer that is lost, for a while, or without a word. */
async function cutOff(ground: Ground): Promise<Trial> {
  await using relay = await relayTo(ground);
  return await tryEach(ground, { tries: ground.scale(60, 4), relay }, async (address, wrongs) => {
    const how = ground.random.pick(breaks);
    if (how === 'answers') relay.cutAnswers();
    else if (how === 'hush') relay.hush();
    else {
      if (how === 'refuse') relay.refuse();
      relay.cutAll();
    }
    // Longer than the product waits for an answer.
    await wait(how === 'hush' ? ground.random.between(5500, 8000) : ground.random.between(50, 1500));
    relay.pass();
    await assertReady(address, wrongs);
  });
}

async function relayTo(ground: Ground): Promise<Relay> {
  const { hostname, port } = new URL(ground.database.env.DATABASE_URL ?? '');
  return createRelay({ host: hostname, port: Number(port) });
}

/** A newer version starts beside the one that serves, changes its tables under load and takes over. */
async function migrateServing(ground: Ground): Promise<Trial> {
  const tries = ground.scale(20, 1);
  const wrongs: string[] = [];
  let current = ground.start();
  let address = await current.address();
  const driver = ground.drive({ connections, address: () => address });
  for (let version = 1; version <= tries; version += 1) {
    await driver.acknowledgedMore(100);
    // What starts after this one, to deliver the rest, must know its tables.
    Object.assign(ground.env, laterMigrations(version));
    const newer = ground.start();
    const newAddress = await newer.address();
    // Both serve for a while, the older one from tables that it does not know.
    await driver.acknowledgedMore(100);
    address = newAddress;
    current.child.kill('SIGTERM');
    const code = await endsWithin(patienceMs, current);
    if (code !== 0) wrongs.push(`the older version ended with ${code}: ${current.output().slice(-500)}`);
    current = newer;
  }
  await driver.stop();
  current.child.kill('SIGTERM');
  await current.ended;
  const { statuses } = driver.figures();
  // Whoever was being answered by the older one as it ended is answered all the same.
  for (const [status, count] of statuses) {
    if (status !== 200) wrongs.push(`${count} answers of ${status} while tables were changed`);
  }
  return { tries, wrongs };
}

type Trouble = (address: string, wrongs: string[]) => Promise<void>;

type Setting = { tries: number; relay?: Relay; mayRefuse?: boolean };

/** One server under load, which must live through every trouble and take messages after each of them. */
async function tryEach(
  ground: Ground,
  { tries, relay, mayRefuse = true }: Setting,
  trouble: Trouble,
): Promise<Trial> {
  const wrongs: string[] = [];
  const server = ground.start(relay ? { DATABASE_URL: throughRelay(ground, relay) } : {});
  const address = await server.address();
  const driver = ground.drive({ connections, address: () => address });
  for (let count = 0; count < tries && wrongs.length === 0; count += 1) {
    if (await takesMessages(driver)) await trouble(address, wrongs);
    else wrongs.push(`no message was taken after ${count} troubles`);
  }
  if (!(await takesMessages(driver))) wrongs.push('no message was taken after the last trouble');
  await driver.stop();
  server.child.kill('SIGTERM');
  const code = await endsWithin(patienceMs, server);
  if (code !== 0) wrongs.push(`the server ended with ${code}: ${server.output().slice(-500)}`);
  const { statuses } = driver.figures();
  const expected = mayRefuse ? [200, 503] : [200];
  for (const [status, count] of statuses) {
    if (!expected.includes(status)) wrongs.push(`${count} answers of ${status}`);
  }
  return { tries, wrongs, notes: [`${statuses.get(503) ?? 0} answers of 503`] };
}

function takesMessages(driver: Driver): Promise<boolean> {
  const enough = driver.figures().acknowledged + 50;
  return isSoWithin(patienceMs, () => driver.figures().acknowledged >= enough);
}

async function assertReady(address: string, wrongs: string[]): Promise<void> {
  const isReady = await isSoWithin(patienceMs, async () => (await statusOf(address, '/readyz')) === 200);
  if (!isReady) wrongs.push('not ready again');
}

function throughRelay({ database: { env } }: Ground, { port }: Relay): string {
  const url = new URL(env.DATABASE_URL ?? '');
  url.port = String(port);
  return url.href;
}

function serverOf({ server }: Ground): Postgres {
  if (!server) throw new Error('this fault needs a server of its own');
  return server;
}
