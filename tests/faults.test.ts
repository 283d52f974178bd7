import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contactPath, idempotencyHeader } from '../src/features/messages/contract.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { databases } from './harness/databases.ts';
import { type Copy, copyProject } from './harness/process.ts';
import { postJson } from './harness/requests.ts';

/** The smoke run of what `npm run proof -- faults` tries at length. */
vi.setConfig({ testTimeout: 120_000 });

/** No test changes the project: each has its own data folder. */
let copy: Copy;
beforeAll(() => {
  copy = copyProject();
});
afterAll(() => copy[Symbol.asyncDispose]());

describe.each(databases)('kill -9 under load, on $name', ({ create }) => {
  test('loses no acknowledged message, and stores and delivers none twice', async () => {
    await using sheet = await createSheetService();
    await using database = await create();
    const lookup = { SHEET_URL: sheet.url, SHEET_LOOKUP_URL: `${sheet.url}rows/{reference}` };
    const env = { ...database.env, ...lookup, SHEET_RATE: '1000' };
    let address = '';
    await using load = startLoad(() => address);
    const killed = copy.start(env);
    address = await killed.address();
    await expect.poll(() => load.acknowledged.size).toBeGreaterThan(20);
    killed.child.kill('SIGKILL');
    await killed.ended;
    // A test must not wait two minutes for a lease, nor for the backoff of an aborted attempt.
    const dueNow =
      "update deliveries set due_at = '2000', lease_until = '2000' where state in ('waiting', 'sending')";
    await database.query(dueNow);
    const server = copy.start(env);
    address = await server.address();
    // Each visitor sends again what was not acknowledged, and then more.
    const before = load.acknowledged.size;
    await expect.poll(() => load.acknowledged.size).toBeGreaterThan(before + visitorCount);
    await load[Symbol.asyncDispose]();
    const waiting =
      "select 1 from deliveries where receiver = 'sheet' and state in ('waiting', 'sending') limit 1";
    await expect.poll(() => database.query(waiting), { timeout: 30_000, interval: 200 }).toEqual([]);

    const stored = await database.query('select reference, message from messages');
    const byNumber = Map.groupBy(stored, ({ message }) => Number(String(message).slice('Message '.length)));
    expect([...byNumber.values()].filter(rows => rows.length > 1)).toEqual([]);
    const delivered = sheet.rows.map(({ Reference }) => Reference);
    expect(new Set(delivered).size).toBe(delivered.length);
    const lost = [...load.acknowledged].filter(
      ([number, reference]) =>
        byNumber.get(number)?.[0]?.reference !== reference || !delivered.includes(reference),
    );
    expect(lost).toEqual([]);
    server.child.kill('SIGTERM');
    await server.ended;
  });
});

/** So many that a kill finds messages that are stored but not yet acknowledged. */
const visitorCount = 16;

/** Visitors who send a message again, with its idempotency key, until it is acknowledged. */
function startLoad(address: () => string) {
  const acknowledged = new Map<number, string>();
  let isOver = false;
  let next = 0;
  async function send(number: number): Promise<void> {
    while (!isOver) {
      const reference = await postMessage(address(), number).catch(() => undefined);
      if (reference) return void acknowledged.set(number, reference);
      await new Promise(done => setTimeout(done, 100));
    }
  }
  const visitors = Array.from({ length: visitorCount }, async () => {
    while (!isOver) await send(next++);
  });
  return {
    acknowledged,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(visitors);
    },
  };
}

async function postMessage(address: string, number: number): Promise<string | undefined> {
  const words = { name: 'Zoë', message: `Message ${number}` };
  const response = await postJson(address + contactPath, words, { [idempotencyHeader]: `message-${number}` });
  const { reference } = (await response.json()) as { reference?: string };
  return response.status === 200 ? reference : undefined;
}

const hasStrace = spawnSync('strace', ['-V']).status === 0;

describe.skipIf(!hasStrace)('traced by strace', () => {
  /** The server with its writes to the disk traced, or some of them made to fail. */
  function startTraced(expressions: string[]) {
    const folder = mkdtempSync(join(copy.folder, 'traced-'));
    const trace = join(folder, 'trace');
    const prefix = ['strace', '-D', '-f', '-qq', '-y', '--seccomp-bpf', '-o', trace];
    const server = copy.start(
      { DATA_DIR: join(folder, 'data') },
      { prefix: [...prefix, ...expressions.flatMap(expression => ['-e', expression])] },
    );
    return {
      ...{ folder, server, trace },
      async [Symbol.asyncDispose]() {
        server.child.kill('SIGKILL');
        await server.ended;
      },
    };
  }

  test('every group of messages has one fsync; once that fails: 503, never 200, and the process exits to be restarted', async () => {
    await using traced = startTraced(['trace=fsync,fdatasync', 'inject=fsync,fdatasync:error=EIO:when=130+']);
    const { folder, server } = traced;
    const address = await server.address();
    const read = (pattern: RegExp) => readFileSync(traced.trace, 'utf8').match(pattern)?.length ?? 0;
    const count = () => read(/ f(data)?sync\(.*sqlite-wal>\) += 0/g);
    // What holds the data folder has to know it by then.
    expect(read(new RegExp(` fsync\\(\\d+<${folder}>\\) += 0`))).toBe(1);

    const before = count();
    // One after the other, each is a group.
    for (let index = 0; index < 20; index += 1) expect(await post(address)).toBe(200);
    const alone = count() - before;
    expect(alone).toBeGreaterThanOrEqual(20);

    // All at once, they share; each group has one of its own.
    const groups = countCommits(folder);
    await Promise.all(Array.from({ length: 100 }, () => post(address)));
    const together = count() - before - alone;
    expect(together).toBeGreaterThanOrEqual(countCommits(folder) - groups);
    expect(countCommits(folder) - groups).toBeGreaterThan(0);
    expect(together).toBeLessThan(50);

    const statuses = await postUntil(503, address);
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain('database failed, this process ends');
    // What was answered with 503 may be there after all; what was answered with 200 must be.
    expect(countStored(folder)).toBeGreaterThanOrEqual(120 + statuses.length - 1);
  });

  test('a full disk: 503 and not ready until there is space; one that became read-only although fsync succeeds: 503, and the process exits', async () => {
    await using traced = startTraced([
      'trace=pwrite64,utimensat',
      'inject=pwrite64:error=ENOSPC:when=400..460',
      'inject=utimensat:error=EROFS:when=200+',
    ]);
    const { folder, server } = traced;
    const address = await server.address();
    const stored = await postUntil(503, address);
    expect((await fetch(`${address}/readyz`)).status).toBe(503);
    await postUntil(200, address);
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200);
    stored.push(...(await postUntil(503, address)));
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain('is on a disk that takes no more');
    expect(countStored(folder)).toBeGreaterThanOrEqual(stored.length - 1);
  });
});

/** The responses up to the first with this status. */
async function postUntil(status: number, address: string): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.at(-1) !== status && statuses.length < 500) statuses.push(await post(address));
  expect(statuses.at(-1)).toBe(status);
  return statuses;
}

async function post(address: string): Promise<number> {
  // Empty, so that nothing is delivered of it and every write is the message's own.
  const response = await postJson(address + contactPath, {});
  await response.text();
  return response.status;
}

/** SQLite marks the last page of each commit in its log. */
function countCommits(folder: string): number {
  const log = readFileSync(join(folder, 'data/wardhouse.sqlite-wal'));
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

function countStored(folder: string): number {
  const file = new DatabaseSync(join(folder, 'data/wardhouse.sqlite'));
  expect(file.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const row = file.prepare('select count(*) as n from messages').get();
  file.close();
  return Number(row?.n);
}
