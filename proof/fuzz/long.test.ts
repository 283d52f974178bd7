import { randomInt } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { startSite } from '../../tests/harness/site.ts';
import { type Figure, writeResult } from '../figures.ts';
import { fuzz } from './run.ts';
import { fuzzKeys, fuzzNewsletter } from './sequences.ts';

/** Half of 100,000 on each database. `FUZZ_SEED=… npm run proof -- fuzz` makes the same requests again. */
const runs = 50_000;
const seed = Number(process.env.FUZZ_SEED ?? randomInt(1, 2 ** 31));
const patienceMs = 30 * 60_000;
const figures: Figure[] = [];

afterAll(() => {
  if (process.env.FIGURES && figures.length > 0) writeResult('fuzz', figures);
});

describe.each(databases)('requests of any kind on $name', ({ name, create }) => {
  const say = (line: string) => process.stdout.write(`${name}, FUZZ_SEED=${seed}: ${line}\n`);

  test(`${runs}: no failure, no hang, no echo, nothing lost, nothing that grows`, {
    timeout: patienceMs,
  }, async () => {
    const database = await create();
    const { stored, early, late, statuses, seconds } = await fuzz(database, {
      runs,
      seed,
      onProgress: say,
    });
    const answers = [...statuses].toSorted().map(([status, count]) => `${status}: ${count}`);
    say(`${runs} requests in ${seconds} s, ${stored} messages; ${answers.join(', ')}`);
    say(`a third: ${JSON.stringify(early)}; all: ${JSON.stringify(late)}`);
    const failed = [...statuses].filter(([status]) => Number(status) >= 500).map(([, count]) => count);
    const failures = failed.reduce((sum, count) => sum + count, 0);
    figures.push(
      { name: `requests, ${name}`, values: [runs] },
      { name: `answers of 5xx, ${name}`, values: [failures], goal: '0' },
    );
    expect(stored).toBeGreaterThan(0);
    // Ours, and those to the database, which come and go.
    expect(late.sockets - early.sockets).toBeLessThanOrEqual(10);
    expect(late.heapMb - early.heapMb).toBeLessThan(8);
    expect(late.rssMb).toBeLessThan(early.rssMb * 1.5);
    await database.remove();
  });

  test('keys and links in any order', { timeout: patienceMs }, async () => {
    const database = await create();
    const site = await startSite(database.env);
    await fuzzKeys(site, database, { runs: 300, seed });
    await fuzzNewsletter(site, { runs: 300, seed });
    await site[Symbol.asyncDispose]();
    await database.remove();
  });
});
