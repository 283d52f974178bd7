import type { Copy } from '../../tests/harness/process.ts';
import type { Figures } from './compare.ts';
import type { Fixture } from './fixture.ts';

export type DatabaseName = 'SQLite' | 'PostgreSQL';

/** What goes wrong in one way: one row of the table for each database. */
export type Fault = {
  name: string;
  databases: readonly DatabaseName[];
  /** Those of the short form, where it has not all of them. */
  shortDatabases?: readonly DatabaseName[];
  /** Too long for the short form, such as a soak. */
  isLongOnly?: boolean;
  /** Settings of the product beside those of the fixture, for all its processes. */
  env?: Record<string, string>;
  /** A PostgreSQL server of its own, with these settings beside the usual ones: one that may be stopped. */
  server?: Record<string, string>;
  /** Changes the copy of the product that this fault runs. */
  plant?(copy: Copy): void;
  /** Makes the fault happen under load. What it leaves out of the figures is measured after it. */
  run(fixture: Fixture): Promise<Trial>;
};

export type Trial = Partial<Figures> & {
  tries: number;
  /** What should have been otherwise, beside lost and repeated messages: a sentence each. */
  problems?: string[];
  /** What is worth knowing: a few words each. */
  notes?: string[];
};

/** One file in families/, chosen by `--only NAME`. */
export type Family = { name: string; faults: readonly Fault[] };

/** What this machine does not have: the row says so, and the whole run ends with 2. */
export class NotRun extends Error {}
