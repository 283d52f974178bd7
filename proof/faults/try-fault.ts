import { inspect } from 'node:util';
import type { Copy } from '../../tests/harness/process.ts';
import { readCommit } from '../figures.ts';
import type { Figures } from './compare.ts';
import { type DatabaseName, type Fault, NotRun } from './family.ts';
import { createFixture } from './fixture.ts';
import { seedOf } from './seeds.ts';

export type Row = {
  family: string;
  fault: string;
  database: DatabaseName;
  seed: number;
  /** What was tried. */
  commit: string;
  seconds: number;
} & (({ tries: number; problems: string[]; notes: string[] } & Figures) | { notRun: string });

export type TryOptions = {
  seed: number;
  isShort: boolean;
  share?: number;
  plant?: (copy: Copy) => void;
};

/** One fault on one database, on a fixture of its own; then everything is delivered, and the sets are compared. */
export async function tryFault(
  family: string,
  fault: Fault,
  database: DatabaseName,
  { seed, isShort, share, plant }: TryOptions,
): Promise<Row> {
  const started = performance.now();
  const about = { family, fault: fault.name, database, seed, commit: readCommit() };
  const seconds = () => (performance.now() - started) / 1000;
  try {
    await using fixture = await createFixture({
      ...{ databaseName: database, isShort, share, env: fault.env ?? {}, plant: plant ?? fault.plant },
      server: fault.server,
      seed: seedOf(seed, `${family} ${fault.name} ${database}`),
    });
    const { tries, problems = [], notes = [], ...own } = await fault.run(fixture);
    if ('stored' in own) {
      return { ...about, tries, problems, notes, ...emptyFigures, ...own, seconds: seconds() };
    }
    await fixture.settle();
    const { corruption, ...measured } = await fixture.measure();
    return {
      ...{ ...about, tries, notes, ...measured, ...own },
      problems: corruption ? [...problems, corruption] : problems,
      lost: [...measured.lost, ...(own.lost ?? [])],
      repeated: [...measured.repeated, ...(own.repeated ?? [])],
      seconds: seconds(),
    };
  } catch (error) {
    if (error instanceof NotRun) return { ...about, notRun: error.message, seconds: seconds() };
    // With the errors inside it: of the fault, and of what was undone after it.
    return { ...about, tries: 0, problems: [inspect(error)], notes: [], ...emptyFigures, seconds: seconds() };
  }
}

const emptyFigures: Figures = {
  ...{ sent: 0, acknowledged: 0, stored: 0, delivered: 0 },
  ...{ lost: [], repeated: [], repeatedElsewhere: 0, longestUnavailableMs: 0 },
};

/** Nothing lost, nothing twice, nothing else wrong; what could not be run is neither well nor a failure. */
export function hasPassed(row: Row): boolean {
  return 'notRun' in row || row.lost.length + row.repeated.length + row.problems.length === 0;
}
