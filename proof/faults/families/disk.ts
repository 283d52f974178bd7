import { closeSync, cpSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Copy } from '../../../tests/harness/process.ts';
import type { Driver } from '../driver.ts';
import type { Family, Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { plant } from '../plant.ts';
import { assertStrace, becomesTrueWithin, endsWithin, runFirstTool, runTool, statusOf } from '../tools.ts';
import { assertReady, assertUnready, patienceMs, tryEach } from '../try-each.ts';

/** A disk that fails, is full, turns read-only or is gone; and a database that says so, whatever the disk does. */
export const disk: Family = {
  name: 'disk',
  faults: [
    { name: 'fsync fails', databases: ['SQLite'], run: fixture => failCalls(fixture, 'fsync,fdatasync') },
    {
      ...{ name: 'write fails', databases: ['SQLite'], isLongOnly: true },
      // A commit makes about twenty of them, a start some more.
      run: fixture => failCalls(fixture, 'pwrite64', 20),
    },
    {
      ...{ name: 'refuses a touch after fsync', databases: ['SQLite'], isLongOnly: true },
      run: fixture => failCalls(fixture, 'utimensat'),
    },
    {
      ...{ name: 'driver fails', databases: ['SQLite', 'PostgreSQL'], shortDatabases: ['PostgreSQL'] },
      ...{ plant: plantFailingDrivers, run: failDriver },
    },
    { name: 'full', databases: ['SQLite'], run: fill },
    { name: 'read-only', databases: ['SQLite'], isLongOnly: true, run: turnReadOnly },
    { name: 'data folder removed', databases: ['SQLite'], isLongOnly: true, run: removeFolder },
  ],
};

/** From some call on every one fails: 503, never 200, and the process ends to be started clean. */
async function failCalls(fixture: Fixture, calls: string, perCommit = 1): Promise<Trial> {
  assertStrace();
  const problems: string[] = [];
  const tries = fixture.scale(20, 1);
  const load = createLoad(fixture);
  // What makes the tables is not what fails here.
  await load.begin(fixture.start());
  await load.driver.acknowledgedMore(20);
  await load.end();
  for (let count = 0; count < tries; count += 1) {
    const from = fixture.random.between(15, 60) * perCommit;
    const prefix = ['strace', '-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null'];
    const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO:when=${from}+`];
    const server = fixture.start({}, { prefix: [...prefix, ...inject] });
    // One that fails before it listens has promised nothing.
    await load.begin(server).catch(() => undefined);
    const code = await endsWithin(patienceMs, server);
    if (code !== 1)
      problems.push(`after failed ${calls} from the ${from}th on the process ended with ${code}`);
    await load.end();
  }
  await load.stop();
  return { tries, problems };
}

/** The copy talks to its database through drivers whose commits fail now and then; the product itself is unchanged. */
function plantFailingDrivers(copy: Copy): void {
  for (const name of ['failing-sqlite.ts', 'failing-pg.ts', 'failing.ts']) {
    cpSync(join(import.meta.dirname, '../drivers', name), join(copy.folder, 'src/core/database', name));
  }
  const thread = 'src/core/database/sqlite-thread.ts';
  plant(
    copy,
    thread,
    "import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';",
    "import type { SQLInputValue, StatementSync } from 'node:sqlite';\nimport { DatabaseSync } from './failing-sqlite.ts';",
  );
  plant(copy, 'src/core/database/postgres.ts', "import pg from 'pg';", "import pg from './failing-pg.ts';");
}

/** Commits that fail, before or after they are carried out: a lost answer is not a lost message. */
async function failDriver(fixture: Fixture): Promise<Trial> {
  const tries = fixture.scale(20, 1);
  const load = createLoad(fixture);
  for (let count = 0; count < tries; count += 1) {
    const server = fixture.start({ FAULT_SEED: String(fixture.random.between(1, 1e9)), FAULT_SHARE: '0.1' });
    await load.begin(server).catch(() => undefined);
    // SQLite's server ends when its disk fails; another goes on.
    const refused = () => load.driver.figures().statuses.get(503) ?? 0;
    const before = refused();
    const isTried = load.driver
      .acknowledgedMore(150)
      .then(() => becomesTrueWithin(patienceMs, () => refused() > before));
    await Promise.race([isTried, server.ended, wait(patienceMs)]);
    await load.end();
  }
  await load.stop();
  const failed = load.driver.figures().statuses.get(503) ?? 0;
  const problems = failed === 0 ? ['no commit failed: nothing was tried'] : [];
  return { tries, problems, notes: [`${failed} answers of 503`] };
}

/** 503 and unready while there is no room; 200 again, by the same process, when there is. */
async function fill(fixture: Fixture): Promise<Trial> {
  const { dataDir } = fixture.database;
  runFirstTool('mount', '-t', 'tmpfs', '-o', 'size=64m,mode=0700', 'tmpfs', dataDir);
  fixture.defer(() => runTool('umount', '--lazy', dataDir));
  const filler = join(dataDir, 'filler');
  return tryEach(fixture, { tries: fixture.scale(20, 1) }, async tried => {
    const refused = () => tried.driver.figures().statuses.get(503) ?? 0;
    const before = refused();
    fillUp(filler);
    if (!(await becomesTrueWithin(patienceMs, () => refused() > before)))
      tried.problems.push('no 503 from a full disk');
    await assertUnready(tried, 'with a full disk');
    await wait(fixture.random.between(0, 200));
    rmSync(filler);
    await assertReady(tried);
  });
}

function fillUp(path: string): void {
  const file = openSync(path, 'w');
  for (let size = 1 << 20; size >= 512; ) {
    try {
      writeSync(file, Buffer.alloc(size));
    } catch {
      size /= 2;
    }
  }
  closeSync(file);
}

/** What a damaged ext4 does: files stay open, every write fails, and an fsync under way may succeed although data is lost. */
async function turnReadOnly(fixture: Fixture): Promise<Trial> {
  const { dataDir } = fixture.database;
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-image-'));
  fixture.defer(() => rmSync(folder, { recursive: true, force: true }));
  const image = join(folder, 'image');
  closeSync(openSync(image, 'w'));
  runFirstTool('truncate', '--size', '64M', image);
  runFirstTool('mkfs.ext4', '-q', '-F', image);
  const mount = () => runFirstTool('mount', '-o', 'loop,errors=remount-ro', image, dataDir);
  mount();
  fixture.defer(() => runTool('umount', '--lazy', dataDir));
  const problems: string[] = [];
  const tries = fixture.scale(20, 1);
  const load = createLoad(fixture);
  let doubted = 0;
  for (let count = 0; count < tries; count += 1) {
    const server = fixture.start();
    const address = await load.begin(server);
    await load.driver.acknowledgedMore(30);
    await wait(fixture.random.next() * 200);
    runTool('mount', '-o', 'remount,abort', dataDir);
    const { acknowledged } = load.driver.figures();
    const isDown = async () => ![200].includes(await statusOf(address, '/readyz'));
    if (!(await becomesTrueWithin(patienceMs, isDown))) problems.push('ready on a read-only disk');
    // Those that were under way when it turned.
    const late = load.driver.figures().acknowledged - acknowledged;
    if (late > connections * 2) problems.push(`${late} messages were taken on a read-only disk`);
    await load.end();
    if (server.output().includes('on a disk that takes no more')) doubted += 1;
    runTool('umount', dataDir);
    mount();
  }
  await load.stop();
  return { tries, problems, notes: [`${doubted} times an fsync succeeded and was not believed`] };
}

/** Moved away, so that what it held can be looked at: for the process it is gone. */
async function removeFolder(fixture: Fixture): Promise<Trial> {
  const { dataDir } = fixture.database;
  const aside = `${dataDir}-aside`;
  const problems: string[] = [];
  const tries = fixture.scale(20, 1);
  const load = createLoad(fixture);
  for (let count = 0; count < tries; count += 1) {
    const server = fixture.start();
    await load.begin(server);
    await load.driver.acknowledgedMore(30);
    await wait(fixture.random.next() * 200);
    renameSync(dataDir, aside);
    const code = await endsWithin(patienceMs, server);
    if (code !== 1) problems.push(`without its folder the process ended with ${code}`);
    await load.end();
    // Receivers that write files may have made a folder anew.
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(aside, dataDir);
  }
  await load.stop();
  return { tries, problems };
}

const connections = 16;

type Load = {
  driver: Driver;
  /** Sends to this process from now on. */
  begin(server: ReturnType<Fixture['start']>): Promise<string>;
  /** Ends the process, unless it has ended; nothing listens until the next start. */
  end(): Promise<void>;
  stop(): Promise<unknown>;
};

/** One driver, for one process after the other. */
function createLoad(fixture: Fixture): Load {
  let address: string | undefined;
  let current: ReturnType<Fixture['start']> | undefined;
  const driver = fixture.drive({ connections, address: () => address });
  return {
    driver,
    async begin(server) {
      current = server;
      address = await server.address();
      return address;
    },
    async end() {
      current?.child.kill('SIGKILL');
      await current?.ended;
      address = undefined;
    },
    stop: () => driver.stop(),
  };
}
