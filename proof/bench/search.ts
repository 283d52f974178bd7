import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { listMessages } from '../../src/domain/messages/read-inbox.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import type { MessageFilter } from '../../src/store/select-messages.ts';
import type { Tables } from '../../src/store/tables.ts';
import { createPostgres } from '../../tests/harness/databases.ts';
import { startPostgres } from '../../tests/harness/postgres.ts';
import { newMessage } from '../../tests/harness/sample-message.ts';
import type { Figure } from '../figures.ts';
import { print } from './options.ts';
import { connectPostgres, connectSqlite, fillMessages, indexAtOnce } from './search/fill.ts';

const root = resolve(import.meta.dirname, '../..');
const pageLength = 50;
/** The newest ones, as the worker does it; the others at once. */
const indexedByWorker = 5000;

type Database = { name: string; sizes: number[]; open(): Promise<Store>; db: Kysely<Tables>; file?: string };

/** Searches and lists of the inbox, as its first page is read by the desk, and what the index costs. */
export async function benchSearch(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '10000,100000,1000000' },
      postgres: { type: 'string', default: '10000,100000' },
      runs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
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
  await (await openStore(options)).close();
  const file = join(folder, 'wardhouse.sqlite');
  const db = await connectSqlite(file);
  cleanup.defer(() => db.destroy());
  return { name: 'SQLite', sizes, open: () => openStore(options), db, file };
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
  await (await openStore(options)).close();
  const db = connectPostgres(databaseUrl);
  cleanup.defer(() => db.destroy());
  return { name: 'PostgreSQL', sizes, open: () => openStore(options), db };
}

function rethrow(error: Error): never {
  throw error;
}

async function measureDatabase(
  { name, sizes, open, db, file }: Database,
  runs: number,
  seconds: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [index, size] of sizes.entries()) {
    const before = sizes[index - 1] ?? 0;
    await fillMessages(db, before, size);
    await indexAtOnce(db, before, size - indexedByWorker);
    const store = await open();
    const add = (about: string, figure: Omit<Figure, 'name'>) => {
      figures.push({ name: `${name}, ${size.toLocaleString('en-GB')}: ${about}`, ...figure });
      print(`${name}, ${size}: ${about} ${figure.values.map(value => value.toFixed(2)).join(' ')}`);
    };
    const ms = await time(() => store.messages.fillSearchTexts());
    add('worker indexes a message, with its pauses', { unit: 'ms', values: [ms / indexedByWorker] });
    if (file) {
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
      add('size of the file', { unit: 'MB', values: [statSync(file).size / 1e6] });
      const { rows } = await sql<{ mb: number }>`select sum(pgsize) / 1e6 as mb from dbstat
        where name like 'search%' or name like 'sqlite_autoindex_search%'`.execute(db);
      add('of it texts and index of the search', { unit: 'MB', values: [rows[0]?.mb ?? 0] });
    }
    const goal = size === 100_000;
    for (const [about, query, filter] of searches) {
      const values = await repeat(runs, () => readPage(store, { filter, query }));
      add(`search, ${about}`, { unit: 'ms', values, ...(goal && { goal: 'at most 300' }) });
    }
    for (const [about, filter] of lists) {
      const values = await repeat(runs, () => readPage(store, { filter }));
      add(`list, ${about}`, { unit: 'ms', values, ...(goal && { goal: 'at most 100' }) });
    }
    add('count of each state', {
      unit: 'ms',
      values: await repeat(runs, () => store.messages.countStates()),
    });
    if (size === 100_000) {
      const references = (await store.messages.list({}, { limit: 500 })).map(({ reference }) => reference);
      add('expiry of 500 messages', {
        unit: 'ms',
        values: [await time(() => store.privacy.deleteExpiredMessages(references))],
      });
      add('their remains merged out of the index', {
        unit: 'ms',
        values: [await time(() => store.privacy.removeRemains())],
      });
      for (const isIndexing of [false, true]) {
        const values = [];
        for (let run = 0; run < 3; run++) values.push(await post(store, seconds, isIndexing));
        add(`posts a second ${isIndexing ? 'while the worker indexes them' : 'without the index'}`, {
          values,
        });
      }
      await store.messages.fillSearchTexts();
    }
    await store.close();
  }
  return figures;
}

/** Each message has every common word; one in a thousand the rare one; the clustered one is in the oldest tenth alone. */
const searches: [about: string, query: string, filter: MessageFilter][] = [
  ['rare word', 'rhabarber', {}],
  ['common word', 'example', {}],
  ['common word of old messages', 'clustered', {}],
  ['no hit', 'nowhere', {}],
  ['two terms', 'rhabarber wednesday', {}],
  ['rare word, one state', 'rhabarber', { state: 'quarantined' }],
  ['two letters', 'qq', {}],
];

const lists: [about: string, filter: MessageFilter][] = [
  ['newest', {}],
  ['one state', { state: 'new' }],
  ['one state, few', { state: 'spam' }],
  ['one service', { service: 'Service 3' }],
  ['a service of none', { service: 'Service 99' }],
  ['from a time up to a time', { since: '2023-12-01T00:00:00.000Z', upTo: '2023-12-02T00:00:00.000Z' }],
  ['a reason of the quarantine', { state: 'quarantined', reason: 'links' }],
  ['a reason of none', { reason: 'honeypot' }],
  ['delivered to the sheet', { delivery: { states: ['delivered'], receivers: ['sheet'] } }],
  ['failed at the sheet', { delivery: { states: ['failed'], receivers: ['sheet'] } }],
];

async function readPage(store: Store, input: { filter: MessageFilter; query?: string }): Promise<void> {
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

const waiting = 64;

async function post(store: Store, seconds: number, isIndexing: boolean): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let posted = 0;
  const isOver = () => performance.now() >= until;
  async function send(): Promise<void> {
    while (!isOver()) {
      await store.messages.add(
        newMessage({
          received_at: new Date().toISOString(),
          message: `Please call. ${'Words. '.repeat(50)}`,
        }),
      );
      posted += 1;
    }
  }
  const abort = new AbortController();
  const indexing = isIndexing ? fillUntil(store, abort.signal) : undefined;
  await Promise.all(Array.from({ length: waiting }, send));
  abort.abort();
  await indexing;
  return posted / seconds;
}

async function fillUntil(store: Store, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await store.messages.fillSearchTexts(signal);
}
