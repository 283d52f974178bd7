import { setTimeout as wait } from 'node:timers/promises';
import type { Family, Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';

/** kill -9 at any moment: of the server under load, and of the delivering process between deliver and settle. */
export const kill: Family = {
  name: 'kill',
  faults: [
    {
      ...{ name: 'server under 64 connections', databases: ['SQLite', 'PostgreSQL'] },
      // On PostgreSQL the short form kills one of two (processes).
      ...{ shortDatabases: ['SQLite'], run: killServer },
    },
    {
      ...{
        name: 'between deliver and settle',
        databases: ['SQLite', 'PostgreSQL'],
        shortDatabases: ['SQLite'],
      },
      run: killDelivering,
    },
  ],
};

async function killServer(fixture: Fixture): Promise<Trial> {
  const tries = fixture.scale(200, 2);
  let address: string | undefined;
  const driver = fixture.drive({ connections: 64, losesEvery: 20, address: () => address });
  for (let count = 0; count < tries; count += 1) {
    const server = await fixture.begin();
    address = server.url;
    // Well under way, however slow this machine is, and then at any moment.
    await driver.acknowledgedMore(64);
    await wait(fixture.random.next() * fixture.scale(250, 80));
    await server.end('SIGKILL');
    address = undefined;
  }
  await driver.stop();
  return { tries };
}

/** The sheet's response is held back until the sender is killed: the worker on PostgreSQL, the server on SQLite. */
async function killDelivering(fixture: Fixture): Promise<Trial> {
  const tries = fixture.scale(50, 2);
  const isApart = fixture.databaseName === 'PostgreSQL';
  let address: string | undefined;
  const driver = fixture.drive({ connections: 4, perSecond: 50, address: () => address });
  const taking = isApart ? fixture.start({ OUTBOX: 'separate' }) : undefined;
  address = await taking?.address();
  for (let count = 0; count < tries; count += 1) {
    const caught = holdBack(fixture, { after: fixture.random.between(1, 20), isDone: count % 2 === 0 });
    const delivering = isApart ? fixture.start({}, { script: 'src/apps/cli/worker.ts' }) : fixture.start();
    if (!isApart) address = await delivering.address();
    await caught;
    delivering.child.kill('SIGKILL');
    await delivering.ended;
    if (!isApart) address = undefined;
    fixture.sheet.script([]);
    await fixture.endLeases();
  }
  await driver.stop();
  taking?.child.kill('SIGTERM');
  await taking?.ended;
  return { tries };
}

/** Resolves when the sheet has been asked to add so many rows, the last of which is never answered. */
function holdBack({ sheet }: Fixture, { after, isDone }: { after: number; isDone: boolean }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = after;
  sheet.script(({ method }) => {
    if (method === 'GET') return { kind: 'work' };
    left -= 1;
    if (left > 0) return { kind: 'work' };
    resolve();
    return { kind: 'hang', isDone };
  });
  return promise;
}
