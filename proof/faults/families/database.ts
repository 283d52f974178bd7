import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Postgres } from '../../../tests/harness/postgres.ts';
import type { Family, Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { createRelay, type Relay } from '../relay.ts';
import { assertReady, assertUnready, tryEach } from '../try-each.ts';
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

/** Away for up to three seconds: 503 and unready meanwhile, and well again by itself. */
function stopServer(fixture: Fixture): Promise<Trial> {
  return tryEach(fixture, { tries: fixture.scale(30, 1) }, async tried => {
    const database = serverOf(fixture);
    await database.halt();
    try {
      await assertUnready(tried, 'without a database');
      await wait(fixture.random.next() * 3000);
    } finally {
      await database.resume();
    }
    await assertReady(tried);
  });
}

/** Half of the times the whole server, half of them one of our connections, which takes all others with it. */
function crashServer(fixture: Fixture): Promise<Trial> {
  return tryEach(fixture, { tries: fixture.scale(30, 1) }, async tried => {
    const database = serverOf(fixture);
    const [ours] = fixture.random.chance(0.5)
      ? []
      : await fixture.database.query(`select pid ${ourConnections}`);
    if (ours) process.kill(Number(ours.pid), 'SIGKILL');
    else {
      await database.halt('SIGQUIT');
      await database.resume();
    }
    await assertReady(tried);
  });
}

const ourConnections =
  "from pg_stat_activity where application_name = 'wardhouse' and datname = current_database()";

function terminateConnections(fixture: Fixture): Promise<Trial> {
  return tryEach(fixture, { tries: fixture.scale(200, 2) }, async () => {
    await wait(fixture.random.next() * 100);
    await fixture.database.query(`select pg_terminate_backend(pid) ${ourConnections}`);
  });
}

/** Others take what is left, all of it or all but a few, and ours are cut off, so that they have to ask for a place. */
function takeConnections(fixture: Fixture): Promise<Trial> {
  return tryEach(fixture, { tries: fixture.scale(20, 1) }, async tried => {
    const taken: pg.Client[] = [];
    try {
      await takeAll(fixture, taken);
      const left = fixture.random.pick([0, 0, 1, 3]);
      for (const client of taken.splice(taken.length - left, left)) await client.end();
      await wait(fixture.random.between(200, 3000));
    } finally {
      for (const client of taken) await client.end();
    }
    await assertReady(tried);
  });
}

/** Until there is none left, and none of ours. */
async function takeAll(fixture: Fixture, taken: pg.Client[]): Promise<void> {
  const killer = await connectTo(fixture);
  taken.push(killer);
  for (;;) {
    const more = await connectTo(fixture).catch(error => {
      if (error instanceof pg.DatabaseError && error.code === tooMany) return undefined;
      throw error;
    });
    if (more) taken.push(more);
    const { rows } = await killer.query(`select pg_terminate_backend(pid) ${ourConnections}`);
    if (!more && rows.length === 0) return;
  }
}

const tooMany = '53300';

async function connectTo({ database: { env } }: Fixture): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL ?? '' });
  // It may be cut off with the others.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** So slow that a few messages at once are still stored in time, and none is refused. */
async function slowDown(fixture: Fixture): Promise<Trial> {
  await using relay = await relayTo(fixture);
  const env = throughRelay(fixture, relay);
  return await tryEach(fixture, { tries: fixture.scale(10, 1), env, mayRefuse: false }, async () => {
    relay.delay(() => fixture.random.between(10, 150));
    await wait(fixture.random.between(2000, 5000));
    relay.pass();
  });
}

const breaks = ['cut', 'cut', 'answers', 'answers', 'answers', 'refuse', 'stall'] as const;

/** The way to the database breaks: at once, with an answer that is lost, for a while, or without a word. */
async function cutOff(fixture: Fixture): Promise<Trial> {
  await using relay = await relayTo(fixture);
  const env = throughRelay(fixture, relay);
  return await tryEach(fixture, { tries: fixture.scale(60, 4), env }, async tried => {
    const how = fixture.random.pick(breaks);
    if (how === 'answers') relay.cutAnswers();
    else if (how === 'stall') relay.stall();
    else {
      if (how === 'refuse') relay.refuse();
      relay.cutAll();
    }
    // Longer than the product waits for an answer.
    await wait(how === 'stall' ? fixture.random.between(5500, 8000) : fixture.random.between(50, 1500));
    relay.pass();
    await assertReady(tried);
  });
}

async function relayTo(fixture: Fixture): Promise<Relay> {
  const { hostname, port } = new URL(fixture.database.env.DATABASE_URL ?? '');
  return createRelay({ host: hostname, port: Number(port) });
}

/** A newer version starts beside the one that serves, changes its tables under load and takes over. */
async function migrateServing(fixture: Fixture): Promise<Trial> {
  const tries = fixture.scale(20, 1);
  const problems: string[] = [];
  let current = await fixture.begin();
  let address = current.url;
  const driver = fixture.drive({ connections: 16, address: () => address });
  for (let version = 1; version <= tries; version += 1) {
    await driver.acknowledgedMore(100);
    // What starts after this one, to deliver the rest, must know its tables.
    Object.assign(fixture.env, laterMigrations(version));
    const newer = await fixture.begin();
    // Both serve for a while, the older one from tables that it does not know.
    await driver.acknowledgedMore(100);
    address = newer.url;
    const code = await current.end();
    if (code !== 0) problems.push(`the older version ended with ${code}: ${current.output().slice(-500)}`);
    current = newer;
  }
  await driver.stop();
  await current.end();
  // Requests that the older process was answering when it ended are answered all the same.
  return { tries, problems: [...problems, ...driver.findOdd(200)] };
}

function throughRelay({ database: { env } }: Fixture, { port }: Relay): Record<string, string> {
  const url = new URL(env.DATABASE_URL ?? '');
  url.port = String(port);
  return { DATABASE_URL: url.href };
}

function serverOf({ server }: Fixture): Postgres {
  if (!server) throw new Error('this fault needs a server of its own');
  return server;
}
