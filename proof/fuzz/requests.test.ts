import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { startSite, type TestSite } from '../../tests/harness/site.ts';
import { fuzz, fuzzLimited } from './run.ts';
import { fuzzKeys, fuzzNewsletter } from './sequences.ts';
import { checkLogLine } from './server.ts';

/** Always the same requests: a failure is that of a change. `npm run proof -- faults` makes up new ones. */
const seed = 20_261_115;
const [sqlite] = databases as [(typeof databases)[number]];

test('2,000 requests of any kind: no failure, no hang, no echo, nothing lost, nothing that grows', async () => {
  const database = await sqlite.create();
  const { stored, early, late, statuses, seconds } = await fuzz(database, { runs: 2000, seed });
  process.stdout.write(
    `fuzz, seed ${seed}: 2,000 requests in ${seconds} s, ${stored} messages, heap ${early.heapMb} to ${late.heapMb} MB\n`,
  );
  expect(stored).toBeGreaterThan(0);
  expect(late.sockets - early.sockets).toBeLessThanOrEqual(1);
  expect(late.heapMb - early.heapMb).toBeLessThan(8);
  // The requests are of every kind only as long as the answers are.
  for (const status of [200, 204, 303, 400, 401, 403, 404, 405, 413, 415, 417, 422]) {
    expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
  }
  await database.remove();
}, 120_000);

describe('requests that belong together', () => {
  let database: TestDatabase;
  let site: TestSite;
  beforeAll(async () => {
    database = await sqlite.create();
    site = await startSite(database.env);
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  test('an idempotency key stays with its first message, however often and concurrently it is sent', () =>
    fuzzKeys(site, database, { runs: 40, seed }));

  test('subscribing and unsubscribing needs valid links, in any order', () =>
    fuzzNewsletter(site, { runs: 40, seed }));

  test('and nothing of it failed', () => {
    expect(site.lines.map(line => checkLogLine(line.trimEnd())).filter(Boolean)).toEqual([]);
  });
});

test('who sends more than the limit allows is told to wait, and still nothing fails', async () => {
  const database = await sqlite.create();
  await using site = await startSite({ ...database.env, RATE_LIMIT: 'on' });
  const statuses = await fuzzLimited(Number(new URL(site.origin).port), database.env, { runs: 600, seed });
  expect(statuses.get(429)).toBeGreaterThan(0);
  expect(site.lines.map(line => checkLogLine(line.trimEnd())).filter(Boolean)).toEqual([]);
});
