import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import ensureBuild from '../../tests/harness/build.setup.ts';
import { startPostgres } from '../../tests/harness/postgres.ts';
import { root } from '../../tests/harness/site.ts';
import { waitForSignal } from '../bench/options.ts';
import { writeResult } from '../figures.ts';
import { clocks } from './families/clocks.ts';
import { database } from './families/database.ts';
import { disk } from './families/disk.ts';
import { kill } from './families/kill.ts';
import { overload } from './families/overload.ts';
import { powerCut } from './families/power-cut.ts';
import { processes } from './families/processes.ts';
import { receivers } from './families/receivers.ts';
import { soak } from './families/soak.ts';
import type { DatabaseName, Family, Fault } from './family.ts';
import { formatTable, sumRows } from './table.ts';
import { hasPassed, type Row, tryFault } from './try-fault.ts';

/** In the order of the table. */
const families: readonly Family[] = [
  ...[kill, disk, database, receivers, clocks],
  ...[overload, soak, processes, powerCut],
];

export type Result = {
  startedAt: string;
  seed: number;
  isShort: boolean;
  /** Of the long form's tries; 1 is all of it. */
  share: number;
  rows: Row[];
};

type Chosen = { family: string; fault: Fault; database: DatabaseName };

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    database: { type: 'string' },
    short: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, '.cache/faults.json') },
    list: { type: 'boolean', default: false },
    jobs: { type: 'string' },
    share: { type: 'string', default: '1' },
    figures: { type: 'boolean', default: false },
    onto: { type: 'string' },
  },
});
const isShort = values.short;
const share = Number(values.share);
const seed = values.seed === undefined ? randomInt(1, 2 ** 31) : Number(values.seed);
// One that waits leaves room for another; in the long form nothing may get in the way of what is measured.
const jobs = Number(values.jobs ?? (isShort ? 3 : 1));
const allFaults = families.flatMap(family =>
  family.faults.flatMap(fault => {
    const databases = isShort ? (fault.shortDatabases ?? fault.databases) : fault.databases;
    return databases.map(database => ({ family: family.name, fault, database }));
  }),
);
const chosen = choose();
const earlier = values.onto ? readEarlier(values.onto) : [];
if (values.list) {
  print(chosen.map(({ family, fault, database }) => `${family}: ${fault.name}, ${database}`).join('\n'));
} else {
  process.exitCode = await runAll();
}

async function runAll(): Promise<number> {
  const startedAt = new Date().toISOString();
  await ensureBuild();
  const postgres = chosen.some(({ database }) => database === 'PostgreSQL')
    ? await startPostgres()
    : undefined;
  if (postgres) process.env.TEST_POSTGRES_URL = postgres.url;
  const tried: Row[] = [];
  const left = [...chosen.entries()];
  /** After each row: what was found so far outlives a run that is stopped. */
  function keepResult(): Result {
    const known = [...tried.filter(Boolean), ...earlier];
    const rows = allFaults.flatMap(one => known.find(row => isOf(row, one)) ?? []);
    const result = { startedAt, seed, isShort, share, rows };
    mkdirSync(dirname(values.out), { recursive: true });
    writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
    return result;
  }
  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const [place, { family, fault, database }] = next;
      const row = await tryFault(family, fault, database, { seed, isShort, share });
      tried[place] = row;
      keepResult();
      print(`${describeOutcome(row)} ${family}: ${fault.name}, ${database} (${row.seconds.toFixed(1)} s)`);
    }
  }
  try {
    await Promise.race([Promise.all(Array.from({ length: jobs }, work)), waitForSignal()]);
  } finally {
    await postgres?.stop();
  }
  const { rows } = keepResult();
  print(`\n${formatTable(rows)}\n\nseed ${seed}`);
  if (values.figures) {
    const args = process.argv.slice(2).filter(one => one !== '--figures');
    const isPart = (one = '') => one === '--only' || one === '--onto';
    const ofAll = args.filter((one, at) => !isPart(one) && !isPart(args[at - 1]));
    writeResult(
      'faults',
      sumRows(rows),
      // Without these two it makes the whole table at once.
      values.onto ? [...ofAll, '[--only', 'FAMILY', '--onto', 'FILE]'] : args,
      { rows },
    );
  }
  if (!rows.every(hasPassed)) return 1;
  return rows.some(row => 'notRun' in row) ? 2 : 0;
}

/** All of them, or those whose family or full name was given. */
function choose(): Chosen[] {
  const wanted = values.only;
  const found = allFaults.filter(
    ({ family, fault, database }) =>
      (wanted.length === 0 || wanted.includes(family) || wanted.includes(`${family}: ${fault.name}`)) &&
      (values.database === undefined || values.database === database) &&
      !(isShort && fault.isLongOnly),
  );
  if (found.length > 0) return found;
  throw new Error(`there is no fault '${wanted.join("', '")}': see --list`);
}

/** What a run before this one found in the long form, for what is not tried again now. */
function readEarlier(file: string): Row[] {
  const result = JSON.parse(readFileSync(file, 'utf8')) as Result;
  if (result.isShort || result.share !== share)
    throw new Error(`${file} is no run of the long form with the same share: nothing is added to it`);
  return result.rows;
}

function isOf(row: Row, { family, fault, database }: Chosen): boolean {
  return row.family === family && row.fault === fault.name && row.database === database;
}

function describeOutcome(row: Row): string {
  if ('notRun' in row) return 'not run';
  return hasPassed(row) ? 'ok     ' : 'FAILED ';
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
