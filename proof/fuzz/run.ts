import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import type { TestDatabase } from '../../tests/harness/databases.ts';
import { check, checkFullResponse, checkResponse } from './check-response.ts';
import { type Client, createClient } from './client.ts';
import { type FuzzRequest, noise, requests, serialize } from './request-arbitraries.ts';
import { type Figures, startFuzzed } from './server.ts';
import { openStored, type Stored } from './stored.ts';

export type FuzzReport = {
  statuses: Map<number, number>;
  stored: number;
  /** When the first third was over, and at the end. */
  early: Figures;
  late: Figures;
  seconds: number;
};

/** Requests to a server with its rate limit on: too many get 429, and nothing else changes. */
export async function fuzzLimited(
  port: number,
  env: Record<string, string>,
  options: { runs: number; seed: number },
): Promise<Map<number, number>> {
  await using stored = await openStored(env);
  using client = createClient(port);
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(requests, async one => {
    const [status = 0] = await checkCase({ ...one, isHonest: false }, client, stored, { isLimited: true });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  await fc.assert(property, { numRuns: options.runs, seed: options.seed });
  return statuses;
}

/** For so long a smaller request that fails in the same way is looked for. */
const shrinkMs = 30_000;

type Case = FuzzRequest | { noise: string[] };

/** Noise comes from many at once: each has a connection of its own, and often waits for what does not come. */
const cases: fc.Arbitrary<Case> = fc.oneof(
  { weight: 60, arbitrary: requests },
  { weight: 1, arbitrary: fc.record({ noise: fc.array(noise, { minLength: 1, maxLength: 10 }) }) },
);

/** So many requests at a server of its own, each judged before the next; fails with the smallest that goes wrong. */
export async function fuzz(
  database: TestDatabase,
  { runs, seed, onProgress }: { runs: number; seed: number; onProgress?: (line: string) => void },
): Promise<FuzzReport> {
  await using server = await startFuzzed(database.env);
  await using stored = await openStored(database.env);
  using client = createClient(server.port);
  const statuses = new Map<number, number>();
  const started = performance.now();
  let early: Figures | undefined;
  let done = 0;
  let recent: Case[] = [];
  let enoughAt = Number.POSITIVE_INFINITY;

  const property = fc.asyncProperty(cases, async one => {
    if (performance.now() > enoughAt) return;
    recent = [...recent.slice(-2), one];
    const answered = await checkCase(one, client, stored).catch(async error => {
      enoughAt = Math.min(enoughAt, performance.now() + shrinkMs);
      // What the log says of it must not be held against the next.
      await new Promise(resolve => setTimeout(resolve, 50));
      server.complaints.length = 0;
      throw error;
    });
    for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    // The log comes a moment after the answer: what is wrong with it may be due to the request before.
    const complaints = server.complaints.splice(0);
    check(complaints.length === 0, `${complaints.join('\n')}\nafter ${JSON.stringify(recent)}`);
    done += 1;
    if (done === Math.ceil(runs / 3)) early = await server.measure();
    if (done % Math.ceil(runs / 10) === 0) {
      onProgress?.(`${done} requests in ${Math.round((performance.now() - started) / 1000)} s`);
    }
  });
  await fc.assert(property, { numRuns: runs, seed });

  const late = await server.measure();
  const health = await client.ask(Buffer.from('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n'), false);
  check(health.status === 200, `not ready: ${health.status}`);
  check(early !== undefined, 'never measured');
  check(server.lines() > 0, 'nothing was logged');
  const strange = await findUnexpectedFiles(database.dataDir);
  check(strange.length === 0, `unexpected files: ${strange}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  return { statuses, stored: await stored.count(), early, late, seconds };
}

/** The statuses of its answers. */
async function checkCase(
  one: Case,
  client: Client,
  stored: Stored,
  options: { isLimited?: boolean } = {},
): Promise<number[]> {
  const since = new Date().toISOString();
  if ('noise' in one) {
    const heard = await Promise.all(one.noise.map(text => client.shout(Buffer.from(text, 'latin1'))));
    const answers = heard.flat();
    for (const answer of answers) checkResponse(answer);
    // On a busy machine we may have hung up before the answer came: as many as are missing may be stored.
    const begun = one.noise.join('').split('HTTP/1.').length - 1;
    await stored.compareNoise(answers, begun - answers.length, since);
    return answers.map(({ status }) => status);
  }
  const answer = await client.ask(serialize(one), one.method === 'HEAD');
  checkResponse(answer, options);
  checkFullResponse(one, answer);
  await stored.compare(one, answer, since);
  return [answer.status];
}

const expected = /^(wardhouse\.sqlite(-wal|-shm)?|messages\.csv|mails?|mails?\/[\w.-]+\.eml)$/;

/** A letter that is being written has a name of its own: what is strange for a moment is not. */
async function findUnexpectedFiles(folder: string): Promise<string[]> {
  const seen = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => !expected.test(name));
  let strange = seen();
  for (let tries = 0; strange.length > 0 && tries < 50; tries++) {
    await new Promise(resolve => setTimeout(resolve, 100));
    const still = seen();
    strange = strange.filter(name => still.includes(name));
  }
  return strange;
}
