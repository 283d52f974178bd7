import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSheetService, type SheetService } from '../../tests/fakes/sheet-service.ts';
import { createPostgres, databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { type Postgres, startPostgres } from '../../tests/harness/postgres.ts';
import { type Copy, copyProject, type StartedProcess } from '../../tests/harness/process.ts';
import { type Acknowledgement, openAcknowledgements, readAcknowledgements } from './acknowledgements.ts';
import { type Arrivals, compare, type Figures, findCorruption, type StoredMessage } from './compare.ts';
import { type Driver, type DriverOptions, numberOf, startDriver } from './driver.ts';
import type { DatabaseName } from './family.ts';
import { createRandom, type Random } from './seeds.ts';
import { endsWithin } from './tools.ts';

type StartOptions = Parameters<Copy['start']>[1];

/** A process of the product that listens. */
export type Running = StartedProcess & {
  url: string;
  /** Asks it to end, or kills it. Its exit code; undefined when it had to be killed after half a minute. */
  end(signal?: NodeJS.Signals): Promise<number | null | undefined>;
};

/** What a fault needs: a database, receivers, a copy of the product to start, and drivers that load it. */
export type Fixture = AsyncDisposable & {
  random: Random;
  isShort: boolean;
  /** A name that every message of this fixture carries. */
  run: string;
  databaseName: DatabaseName;
  database: TestDatabase;
  /** The server of that database, where the fault asked for one of its own. */
  server: Postgres | undefined;
  /** A receiver that appends, and can be looked up. Mails go to files, which replace themselves. */
  sheet: SheetService;
  copy: Copy;
  /** Settings for every process: the database, the receivers. */
  env: Record<string, string>;
  /** The one figure of the long form, the other of the short one. */
  scale(long: number, short: number): number;
  start(env?: Record<string, string>, options?: StartOptions): StartedProcess;
  /** Starts the product, and resolves when it listens. */
  begin(env?: Record<string, string>): Promise<Running>;
  /** Loads the product until it is stopped; several may follow or accompany each other. */
  drive(options: DriverOptions): Driver;
  /** Undone when the fixture is left, last first, before its folders go. */
  defer(undo: () => void): void;
  /** Ends leases by hand after a kill, which saves their two minutes. */
  endLeases(): Promise<void>;
  /** A healthy product delivers all that is left. */
  settle(env?: Record<string, string>): Promise<void>;
  readAcknowledged(): Promise<Acknowledgement[]>;
  /** All drivers together. `more` are receivers of the fault's own; one called `mail` replaces the files. */
  measure(more?: Arrivals[]): Promise<Figures & { corruption: string | undefined }>;
};

export type FixtureOptions = {
  databaseName: DatabaseName;
  seed: number;
  isShort: boolean;
  /** Of the long form, for a look at it. */
  share?: number | undefined;
  env?: Record<string, string>;
  /** Settings of a PostgreSQL server of its own. */
  server?: Record<string, string> | undefined;
  /** Changes the copy before anything is started: a bug that must be found. */
  plant?: ((copy: Copy) => void) | undefined;
};

export async function createFixture(options: FixtureOptions): Promise<Fixture> {
  const { databaseName, seed, isShort, share = 1, plant } = options;
  const run = randomUUID().slice(0, 8);
  const copy = plant ? copyProject() : shareCopy();
  plant?.(copy);
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-driver-'));
  const notes = join(folder, 'acknowledged');
  const acknowledgements = await openAcknowledgements(notes);
  const server = options.server && (await startPostgres(options.server));
  const database = server ? await createPostgres(server.url) : await findDatabase(databaseName).create();
  const sheet = await createSheetService();
  const drivers: Driver[] = [];
  const undos: (() => void)[] = [];
  const env = { ...database.env, ...receiverSettings(sheet), ...options.env };

  const started = new Set<StartedProcess>();

  const start: Fixture['start'] = (more = {}, startOptions) => {
    const one = copy.start({ ...env, ...more }, startOptions);
    started.add(one);
    return one;
  };

  const begin: Fixture['begin'] = async more => {
    const server = start(more);
    async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null | undefined> {
      server.child.kill(signal);
      const code = await endsWithin(30_000, server);
      if (code === undefined) server.child.kill('SIGKILL');
      await server.ended;
      return code;
    }
    return { ...server, url: await server.address(), end };
  };

  /** A run that is stopped half-way leaves nothing running and nothing mounted. */
  function abandon(): void {
    for (const { child } of started) child.kill('SIGKILL');
    for (const undo of undos) undo();
    server?.halt('SIGQUIT');
  }
  process.once('exit', abandon);

  async function endLeases(): Promise<void> {
    await database.query("update deliveries set lease_until = '2000' where state = 'sending'");
  }

  async function readStored(): Promise<StoredMessage[]> {
    const rows = await database.query(
      `select messages.reference, message, count(deliveries.receiver) as receivers from messages
       left join deliveries on deliveries.reference = messages.reference group by messages.reference, message`,
    );
    return rows.flatMap(({ reference, message, receivers }) => {
      const number = numberOf(run, String(message));
      return number === undefined
        ? []
        : [{ number, reference: String(reference), receivers: Number(receivers) }];
    });
  }

  return {
    ...{ random: createRandom(seed), isShort, run, databaseName, database, server, sheet, copy, env },
    scale: (long, short) => (isShort ? short : Math.max(1, Math.round(long * share))),
    start,
    begin,
    drive(driverOptions) {
      // No two share a number, and none sends as many.
      const from = drivers.length * 1e9 + 1;
      const driver = startDriver({ run, from, acknowledgements }, driverOptions);
      drivers.push(driver);
      return driver;
    },
    defer: undo => undos.unshift(undo),
    endLeases,
    async settle(more = {}) {
      await endLeases();
      const healthy = await begin(more);
      let ended: number | null | undefined;
      healthy.ended.then(code => {
        ended = code;
      });
      while (await isWaiting(database)) {
        if (ended !== undefined) throw new Error(`the server ended with ${ended}: ${healthy.output()}`);
        // What failed once would wait for a minute or more.
        await database.query(
          "update deliveries set due_at = '2000' where state = 'waiting' and attempts > 0 and due_at > '2000'",
        );
        await wait(100);
      }
      await healthy.end();
    },
    readAcknowledged: () => readAcknowledgements(notes),
    async measure(more = []) {
      const driven = drivers.map(driver => driver.figures());
      const stored = await readStored();
      // Notices of the site itself are no messages.
      const atSheet = sheet.rows
        .map(row => numberOf(run, row.Message ?? ''))
        .filter(number => number !== undefined);
      const own: Arrivals[] = [{ receiver: 'sheet', canBeAsked: true, numbers: atSheet }];
      if (!more.some(({ receiver }) => receiver === 'mail'))
        own.push({ receiver: 'mail', canBeAsked: true, numbers: readMails(database, stored) });
      const compared = compare(await readAcknowledgements(notes), stored, [...own, ...more]);
      return {
        ...compared,
        sent: driven.reduce((sum, { sent }) => sum + sent, 0),
        longestUnavailableMs: Math.max(0, ...driven.map(one => one.longestUnavailableMs)),
        corruption: await findCorruption(database),
      };
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', abandon);
      for (const driver of drivers) await driver.stop();
      await acknowledgements[Symbol.asyncDispose]();
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all([...started].map(({ ended }) => ended));
      if (plant) await copy[Symbol.asyncDispose]();
      for (const undo of undos) undo();
      await sheet[Symbol.asyncDispose]();
      await database.remove();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Copy | undefined;

/** All that run the product as it is run the same copy, which Node has compiled then. It goes with the folder of copies. */
function shareCopy(): Copy {
  shared ??= copyProject();
  return shared;
}

function findDatabase(wanted: DatabaseName) {
  const found = databases.find(({ name }) => name === wanted);
  if (!found) throw new Error(`there is no database ${wanted}`);
  return found;
}

function receiverSettings({ url }: SheetService): Record<string, string> {
  return {
    SHEET_URL: url,
    SHEET_LOOKUP_URL: `${url}rows/{reference}`,
    SHEET_RATE: '1000',
    MAIL_RATE: '1000',
  };
}

async function isWaiting({ query }: TestDatabase): Promise<boolean> {
  const rows = await query("select 1 from deliveries where state in ('waiting', 'sending') limit 1");
  return rows.length > 0;
}

/** Each mail is a file that carries the reference in its name. */
function readMails({ dataDir }: TestDatabase, stored: StoredMessage[]): number[] {
  const numbers = new Map(stored.map(({ reference, number }) => [encodeURIComponent(reference), number]));
  const folder = join(dataDir, 'mail');
  // There is none before the first mail.
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.eml')) : [];
  return names
    .map(name => numbers.get(name.slice('2026-01-01T000000-'.length, -'.eml'.length)))
    .filter(number => number !== undefined);
}
