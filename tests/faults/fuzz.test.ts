import { randomInt } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { type Figure, writeFigures } from '../../bench/figures.ts';
import { databases } from '../harness/databases.ts';
import { fuzz } from '../harness/fuzz/run.ts';
import { fuzzKeys, fuzzNewsletter } from '../harness/fuzz/sequences.ts';
import { startSite } from '../harness/site.ts';

/** Half of 100,000 on each database. `FUZZ_SEED=… npm run test:faults` makes the same requests again. */
const runs = 50_000;
const seed = Number(process.env.FUZZ_SEED ?? randomInt(1, 2 ** 31));
const patienceMs = 30 * 60_000;
const figures: Figure[] = [];

afterAll(() => {
  const command = 'npx vitest run --project faults tests/faults/fuzz.test.ts';
  if (process.env.FIGURES && figures.length > 0)
    writeFigures('bad-inputs', command, { figures, markdown: '' });
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
      { name: `requests, ${name}`, unit: '', values: [runs], better: 'higher' },
      { name: `answers of 5xx, ${name}`, unit: '', values: [failures], better: 'lower', goal: '0' },
      { name: `memory after all of them, ${name}`, unit: 'MB', values: [late.rssMb], better: 'lower' },
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
