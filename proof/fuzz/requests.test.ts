import { randomInt } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { startSite } from '../../tests/harness/site.ts';
import { type Figure, writeResult } from '../figures.ts';
import { fuzz, fuzzLimited } from './run.ts';
import { fuzzKeys, fuzzNewsletter } from './sequences.ts';
import { checkLogLine } from './server.ts';

/** Half of 100,000 on each database. `FUZZ_SEED=… npm run proof -- fuzz` makes the same requests again. */
const runs = 50_000;
const seed = Number(process.env.FUZZ_SEED ?? randomInt(1, 2 ** 31));
const timeout = 30 * 60_000;
const figures: Figure[] = [];
const findComplaints = (lines: string[]) => lines.map(line => checkLogLine(line.trimEnd())).filter(Boolean);

afterAll(() => {
  if (process.env.FIGURES && figures.length > 0) writeResult('fuzz', figures);
});

describe.each(databases)('requests of any kind on $name', ({ name, create }) => {
  const say = (line: string) => process.stdout.write(`${name}, FUZZ_SEED=${seed}: ${line}\n`);

  test(`${runs}: no failure, no hang, no echo, nothing lost, nothing that grows`, { timeout }, async () => {
    await using database = await create();
    const { stored, early, late, statuses, seconds } = await fuzz(database, { runs, seed, onProgress: say });
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
    // The requests are of every kind only as long as the answers are.
    for (const status of [200, 204, 303, 400, 401, 403, 404, 405, 413, 415, 417, 422])
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
    // Ours, and those to the database, which come and go.
    expect(late.sockets - early.sockets).toBeLessThanOrEqual(name === 'SQLite' ? 1 : 10);
    expect(late.heapMb - early.heapMb).toBeLessThan(8);
    expect(late.rssMb).toBeLessThan(early.rssMb * 1.5);
  });

  test('keys and links in any order', { timeout }, async () => {
    await using database = await create();
    await using site = await startSite(database.env);
    await fuzzKeys(site, database, { runs: 300, seed });
    await fuzzNewsletter(site, { runs: 300, seed });
    expect(findComplaints(site.lines)).toEqual([]);
  });

  test('beyond the limit are told to wait, and still nothing fails', async () => {
    await using database = await create();
    await using site = await startSite({ ...database.env, RATE_LIMIT: 'on' });
    const port = Number(new URL(site.origin).port);
    const statuses = await fuzzLimited(port, database.env, { runs: 600, seed });
    expect(statuses.get(429)).toBeGreaterThan(0);
    expect(findComplaints(site.lines)).toEqual([]);
  });
});
