import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type DatabaseName, type Family, NotRun, type Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { checkLoad, checkRecovery } from '../overload/check-load.ts';
import { createLoads, type Probe } from '../overload/load.ts';
import { groupSize, slowDown, slowEnv, speedUp } from '../overload/slow-database.ts';
import { quantile } from '../overload/watch.ts';
import { statusOf } from '../tools.ts';

const databases: DatabaseName[] = ['SQLite', 'PostgreSQL'];

/** More load than capacity: some requests are refused with Retry-After, none waits for long, and pages stay fast. */
export const overload: Family = {
  name: 'overload',
  faults: [
    { name: 'ten times what the database bears', databases, isLongOnly: true, run: drown },
    {
      ...{ name: 'flood from one address', databases, isLongOnly: true, env: { RATE_LIMIT: 'on' } },
      run: flood,
    },
    { name: 'pipelined requests, answers unread', databases, isLongOnly: true, run: pipeline },
  ],
};

/** One group that is stored and one that waits. */
const busyConnections = 2 * groupSize;
/** Each asks every few seconds; far fewer would do, but everybody who comes brings a connection. */
const manyConnections = 1000;
const times = 10;
/** Also in a share of the long form: the p99 of pages is that of some hundreds. */
const loadSeconds = 60;

async function drown(fixture: Fixture): Promise<Trial> {
  const seconds = fixture.isShort ? 4 : loadSeconds;
  const server = await fixture.begin(slowEnv);
  await slowDown(fixture);
  const { load, probe } = createLoads(fixture, server.url, server.child.pid);
  // The first ones find a process that has hardly begun.
  await probe(1);
  const quiet = await probe(3);
  assertTime(
    quiet.map(({ ms }) => ms),
    1000,
    'a message that was alone',
  );
  const busy = { connections: busyConnections, givesUp: true };
  const sustained = await load(busy, { seconds: Math.max(6, seconds / 6), settleSeconds: 3 });
  assertTime(sustained.pages, 250, 'a page');
  // A little more than is asked for: what is late on a busy machine is not made up for.
  const perSecond = sustained.accepted * times * 1.2;
  let after: Promise<Probe[]> | undefined;
  let overAt = 0;
  const drowned = await load(
    { connections: manyConnections, perSecond, givesUp: true },
    {
      seconds,
      onOver() {
        overAt = performance.now();
        after = probe(8);
      },
    },
  );
  const recovery = checkRecovery((await after) ?? [], quiet, overAt);
  const readiness = await statusOf(server.url, '/readyz');
  await server.end();
  await speedUp(fixture);
  const { problems, notes } = checkLoad(drowned, sustained);
  const offered = `${sustained.accepted.toFixed(0)} messages a second sustained, ${drowned.perSecond.toFixed(0)} offered for ${seconds} s`;
  if (drowned.perSecond < times * sustained.accepted) problems.push(`too few to be an overload: ${offered}`);
  if (drowned.accepted < sustained.accepted / 2)
    problems.push(`${drowned.accepted.toFixed(0)} messages a second were taken; ${offered}`);
  if (readiness !== 200) problems.push(`/readyz answered ${readiness} when it was over`);
  return {
    tries: 1,
    problems: [...problems, ...recovery.problems],
    notes: [offered, ...notes, ...recovery.notes],
  };
}

async function flood(fixture: Fixture): Promise<Trial> {
  const seconds = fixture.isShort ? 4 : loadSeconds;
  const server = await fixture.begin();
  const { load } = createLoads(fixture, server.url, server.child.pid);
  const calm = await load({ connections: 1, perSecond: 5 }, { seconds: 5 });
  assertTime(calm.pages, 250, 'a page');
  const flooded = await load({ connections: 256, givesUp: true }, { seconds });
  await server.end();
  const { problems, notes } = checkLoad(flooded, calm);
  return { tries: 1, problems, notes: [`${flooded.perSecond.toFixed(0)} posts a second`, ...notes] };
}

/** 1,400 requests are what one read of 64 KB brings: 200 such connections once took 850 MB. */
const attack = { connections: 200, requests: 1400, seconds: 10 };

async function pipeline(fixture: Fixture): Promise<Trial> {
  const waves = fixture.scale(6, 1);
  const server = await fixture.begin();
  const { load } = createLoads(fixture, server.url, server.child.pid);
  const visitor = { connections: 4, perSecond: 20 };
  const calm = await load(visitor, { seconds: 10 });
  assertTime(calm.pages, 250, 'a page');
  const problems: string[] = [];
  const notes: string[] = [];
  for (let wave = 0; wave < waves; wave += 1) {
    using _unread = await pipelineUnread(
      Number(new URL(server.url).port),
      attack.connections,
      attack.requests,
    );
    const attacked = await load(visitor, { seconds: attack.seconds });
    const found = checkLoad(attacked, calm);
    problems.push(...found.problems);
    if (wave === waves - 1) notes.push(...found.notes);
  }
  await server.end();
  return { tries: waves, problems, notes };
}

/** Where everybody else keeps the processors busy, nothing could be said of how long anything takes. */
function assertTime(ms: number[], bearableMs: number, what: string): void {
  const late = quantile(ms, 0.9);
  if (late > bearableMs) throw new NotRun(`a machine that is not busy: ${what} took ${late.toFixed(0)} ms`);
}

/** So many connections that ask this often for a page at once, and read nothing of what comes. */
async function pipelineUnread(port: number, connections: number, each: number): Promise<Disposable> {
  const bytes = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(each);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket.pause(), 'connect');
    socket.write(bytes);
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: connections }, open));
  return {
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
