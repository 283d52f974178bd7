import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../src/core/database/tables.ts';
import { listMessages } from '../../src/features/messages/read-inbox.ts';
import type { MessageFilter } from '../../src/features/messages/select-messages.ts';
import { createPostgres } from '../../tests/harness/databases.ts';
import { startPostgres } from '../../tests/harness/postgres.ts';
import { newMessage } from '../../tests/harness/sample-message.ts';
import { openTestStore, type TestStore } from '../../tests/harness/stores.ts';
import type { Figure } from '../figures.ts';
import { print } from './options.ts';
import { connectPostgres, connectSqlite, fillMessages } from './search/fill.ts';
import { median } from './spread.ts';

const root = resolve(import.meta.dirname, '../..');
const pageLength = 50;

type Database = {
  name: string;
  sizes: number[];
  open(): Promise<TestStore>;
  db: Kysely<Tables>;
  args: string[];
  file?: string;
};

/** Searches and lists of the inbox, as its first page is read by the desk, and what a search costs visitors. */
export async function benchSearch(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      postgres: { type: 'string', default: '10000,100000,1000000' },
      runs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '20' },
    },
  });
  await using cleanup = new AsyncDisposableStack();
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/bench-search-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const numbers = (list: string) => list.split(',').filter(Boolean).map(Number);
  const figures: Figure[] = [];
  const kinds = [
    () => openSqlite(folder, numbers(values.sizes), cleanup),
    () => openPostgres(folder, numbers(values.postgres), cleanup),
  ];
  for (const open of kinds) {
    const database = await open();
    if (database.sizes.length > 0)
      figures.push(...(await measureDatabase(database, Number(values.runs), Number(values.seconds))));
  }
  return figures;
}

async function openSqlite(folder: string, sizes: number[], cleanup: AsyncDisposableStack): Promise<Database> {
  const options = { dataDir: folder, databaseUrl: undefined, onError: rethrow };
  await (await openTestStore(options)).close();
  const file = join(folder, 'wardhouse.sqlite');
  const db = await connectSqlite(file);
  cleanup.defer(() => db.destroy());
  return { name: 'SQLite', sizes, open: () => openTestStore(options), db, args: [folder], file };
}

async function openPostgres(
  folder: string,
  sizes: number[],
  cleanup: AsyncDisposableStack,
): Promise<Database> {
  const server = await startPostgres({ fsync: 'on' });
  cleanup.defer(server.stop);
  const database = await createPostgres(server.url);
  cleanup.defer(database.remove);
  const databaseUrl = database.env.DATABASE_URL as string;
  const options = { dataDir: folder, databaseUrl, onError: rethrow };
  await (await openTestStore(options)).close();
  const db = connectPostgres(databaseUrl);
  cleanup.defer(() => db.destroy());
  return { name: 'PostgreSQL', sizes, open: () => openTestStore(options), db, args: [folder, databaseUrl] };
}

function rethrow(error: Error): never {
  throw error;
}

async function measureDatabase(
  { name, sizes, open, db, args, file }: Database,
  runs: number,
  seconds: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [index, size] of sizes.entries()) {
    const before = sizes[index - 1] ?? 0;
    await fillMessages(db, before, size);
    const store = await open();
    const prefix = `${name}, ${size.toLocaleString('en-GB')} messages`;
    const say = (about: string, values: number[]) =>
      print(`${prefix}: ${about} ${values.map(value => value.toFixed(2)).join(' ')}`);
    /** Of all queries of a kind the slowest, by the median of its runs. */
    const addSlowest = async (
      kind: string,
      goal: string | undefined,
      queries: Record<string, () => Promise<unknown>>,
    ) => {
      const measured: { about: string; values: number[] }[] = [];
      for (const [about, query] of Object.entries(queries)) {
        const values = await repeat(runs, query);
        measured.push({ about, values });
        say(`${kind}, ${about}, ms`, values);
      }
      const [first] = measured.toSorted((one, other) => median(other.values) - median(one.values));
      const { about, values } = first as (typeof measured)[number];
      const hasGoal = goal !== undefined && { goal };
      figures.push({ name: `${prefix}: slowest ${kind} (${about})`, unit: 'ms', values, ...hasGoal });
    };
    if (file) {
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
      say('size of the file, MB', [statSync(file).size / 1e6]);
    }
    await addSlowest(
      'search',
      { 100000: 'at most 500', 1000000: 'at most 5000' }[size],
      mapValues(searches, input => () => readPage(store, input)),
    );
    await addSlowest('list', size === 100_000 ? 'at most 100' : undefined, {
      ...mapValues(lists, filter => () => readPage(store, { filter })),
      'count of each state': () => store.messages.countStates(),
    });
    if (size === 100_000) {
      const references = (await store.messages.list({}, { limit: 500 })).map(({ reference }) => reference);
      const expiry = () => store.messages.deleteExpiredMessages(references);
      say('expiry of 500 messages, ms', [await time(expiry)]);
      figures.push({
        name: `${prefix}: p99 of posts during a search / without`,
        values: await comparePosts(store, args, runs, seconds),
        goal: 'at most 1.2',
      });
    }
    await store.close();
  }
  return figures;
}

/** Each message has every common word; one in a thousand the rare one; the clustered one is in the oldest tenth alone. */
const searches: Record<string, { query: string; filter: MessageFilter }> = {
  'rare word': { query: 'rhabarber', filter: {} },
  'common word': { query: 'example', filter: {} },
  'common word of old messages': { query: 'clustered', filter: {} },
  'no hit': { query: 'nowhere', filter: {} },
  'two terms': { query: 'rhabarber wednesday', filter: {} },
  'rare word, one state': { query: 'rhabarber', filter: { state: 'quarantined' } },
  'two letters': { query: 'qq', filter: {} },
};

const lists: Record<string, MessageFilter> = {
  newest: {},
  'one state': { state: 'new' },
  'one state, few': { state: 'spam' },
  'one service': { service: 'Service 3' },
  'a service of none': { service: 'Service 99' },
  'from a time up to a time': { since: '2023-12-01T00:00:00.000Z', upTo: '2023-12-02T00:00:00.000Z' },
  'a reason of the quarantine': { state: 'quarantined', reason: 'links' },
  'a reason of none': { state: 'quarantined', reason: 'honeypot' },
  'delivered to the sheet': { delivery: { states: ['delivered'], receivers: ['sheet'] } },
  'failed at the sheet': { delivery: { states: ['failed'], receivers: ['sheet'] } },
};

function mapValues<In, Out>(record: Record<string, In>, map: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

async function readPage(store: TestStore, input: { filter: MessageFilter; query?: string }): Promise<void> {
  await listMessages(store, { ...input, limit: pageLength });
}

async function repeat(runs: number, work: () => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  // The first one reads from the disk.
  for (let run = 0; run <= runs; run++) values.push(await time(work));
  return values.slice(1);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Far more than a site gets, and far less than it can store: what is measured is the wait, not the disk's limit. */
const postsPerSecond = 200;
const turnMs = 250;

/** In short turns, so that whatever else the machine does slows both alike. */
async function comparePosts(
  store: TestStore,
  args: string[],
  runs: number,
  seconds: number,
): Promise<number[]> {
  const searcher = fork(new URL('./search/searcher.ts', import.meta.url), args, { stdio: 'inherit' });
  await once(searcher, 'message');
  const ratios: number[] = [];
  for (let run = 0; run < runs; run++) {
    const turns = Math.ceil((seconds * 1000) / turnMs);
    const [quiet, busy]: [Promise<number>[], Promise<number>[]] = [[], []];
    for (let turn = 0; turn < 2 * turns; turn++) {
      searcher.send({ isSearching: turn % 2 === 1 });
      await postForTurn(store, turn % 2 === 1 ? busy : quiet);
    }
    const [without, during] = [await percentile99(quiet), await percentile99(busy)];
    print(`p99 of posts ${without.toFixed(2)} ms, during a search ${during.toFixed(2)} ms`);
    ratios.push(during / without);
  }
  searcher.kill('SIGKILL');
  await once(searcher, 'exit');
  return ratios;
}

async function postForTurn(store: TestStore, times: Promise<number>[]): Promise<void> {
  const started = performance.now();
  for (let due = 0; due < turnMs; due += 1000 / postsPerSecond) {
    await wait(Math.max(0, started + due - performance.now()));
    const message = `Please call. ${'Words. '.repeat(50)}`;
    const post = () => store.messages.add(newMessage({ received_at: new Date().toISOString(), message }));
    times.push(time(post));
  }
}

async function percentile99(times: Promise<number>[]): Promise<number> {
  const sorted = (await Promise.all(times)).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
