import { describe, expect, test } from 'vitest';
import { databases } from '../harness/databases.ts';
import { killUnderLoad } from '../harness/kills.ts';

const rounds = 20;

describe.each(databases)('kill -9 under load on $name', ({ name, create }) => {
  test(`loses nothing that was answered with 200, in ${rounds} rounds`, async () => {
    const database = await create();
    const { acknowledged, lost, integrity } = await killUnderLoad(database, rounds);
    expect(acknowledged.length).toBeGreaterThan(rounds * 10);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect({ lost, integrity }).toEqual({ lost: [], integrity: 'ok' });
    await database.remove();
    process.stdout.write(`${name}: ${acknowledged.length} acknowledged, 0 lost\n`);
  });
});
