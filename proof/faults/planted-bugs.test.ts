import { describe, expect, test } from 'vitest';
import type { Copy } from '../../tests/harness/process.ts';
import { database as databaseServer } from './families/database.ts';
import { kill } from './families/kill.ts';
import { powerCut } from './families/power-cut.ts';
import type { DatabaseName, Family } from './family.ts';
import { plant } from './plant.ts';
import { type Row, tryFault } from './try-fault.ts';

/** Each build holds one bug, and fault injection must find it: as lost messages, or as repeated ones. */
describe.each(['SQLite', 'PostgreSQL'] as const)('on %s, fault injection finds a build that', database => {
  test('answers before the commit', async () => {
    const place = 'await deps.messages.add({';
    const bug = `await (message => {
      deps.messages.add(message).catch(() => undefined);
      return message;
    })({`;
    const row = await tryPlanted(kill, 'server under 64 connections', database, copy =>
      plant(copy, 'src/features/messages/receive-message.ts', place, bug),
    );
    expect(row.lost).toContainEqual(expect.stringMatching(/not stored$/));
  });

  test('settles before delivering', async () => {
    const place = '    const result = await attemptDelivery(deps, receiver, delivery, { signal, deadline });';
    const bug = `    const well = { outcome: { kind: 'delivered' }, isAmbiguous: false, isPossibleDuplicate: false } as const;
    await settle(well);\n${place}`;
    const row = await tryPlanted(kill, 'between deliver and settle', database, copy =>
      plant(copy, 'src/core/outbox/delivery-queue.ts', place, bug),
    );
    expect(row.lost[0]).toContain('stored, not at ');
  });

  test('delivers again without asking whether it arrived', async () => {
    const row = await tryPlanted(kill, 'between deliver and settle', database, copy =>
      plant(
        copy,
        'src/core/outbox/attempt-delivery.ts',
        'if (isAmbiguous && !receiver.isIdempotent) {',
        'if (isAmbiguous && receiver.isIdempotent) {',
      ),
    );
    expect(row.repeated[0]).toContain('times at sheet');
  });

  test('stores again what a visitor sends again', async () => {
    const row = await tryPlanted(kill, 'server under 64 connections', database, copy =>
      plant(
        copy,
        'src/features/messages/api/contact.ts',
        'header === null ? undefined : parseIdempotencyKey(header)',
        'undefined',
      ),
    );
    expect(row.repeated[0]).toContain('stored 2 times');
  });
});

describe('fault injection finds a build that', () => {
  test('does not wait for the disk', async () => {
    const row = await tryPlanted(powerCut, 'at random fsyncs', 'SQLite', copy => {
      const file = 'src/core/database/sqlite-thread.ts';
      plant(copy, file, 'PRAGMA synchronous = FULL', 'PRAGMA synchronous = OFF');
      plant(copy, file, ' || synchronous !== 2', '');
    });
    expect(row.lost[0]).toContain('not on the disk');
  });

  test('does not wait for the log of PostgreSQL', async () => {
    const row = await tryPlanted(databaseServer, 'crashes', 'PostgreSQL', copy =>
      plant(
        copy,
        'src/core/database/postgres.ts',
        "application_name: 'wardhouse',",
        "application_name: 'wardhouse', options: '-c synchronous_commit=off',",
      ),
    );
    expect(row.lost).toContainEqual(expect.stringMatching(/not stored$/));
  });

  test('makes a folder for its data that a power cut undoes', async () => {
    const row = await tryPlanted(powerCut, 'at random fsyncs', 'SQLite', copy =>
      plant(copy, 'src/core/files.ts', 'if (first === undefined) return;', 'return void first;'),
    );
    expect(row.lost[0]).toContain('no database');
  });
});

async function tryPlanted(
  { name, faults }: Family,
  wanted: string,
  database: DatabaseName,
  plantBug: (copy: Copy) => void,
): Promise<Exclude<Row, { notRun: string }>> {
  const fault = faults.find(one => one.name === wanted);
  if (!fault) throw new Error(`there is no fault ${wanted}`);
  const row = await tryFault(name, fault, database, { seed: 1, isShort: true, plant: plantBug });
  if ('notRun' in row) throw new Error(`not run: ${row.notRun}`);
  if (row.tries === 0) throw new Error(`not tried: ${row.problems.join(', ')}`);
  return row;
}
