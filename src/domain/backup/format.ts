import type { Counts, Dump } from '../../store/dump.ts';

/** The first line of a backup. */
export type Head = {
  format: typeof formatName;
  version: number;
  madeAt: string;
  migrations: readonly string[];
};

/** The last one. The checksum is of every byte before this line. */
export type End = { end: true; counts: Counts; sha256: string };

export const formatName = 'wardhouse backup';
export const formatVersion = 1;

/** What this version of the site knows of its own tables. */
export type Known = Pick<Dump, 'shapes' | 'migrations'>;

/** Why a file cannot be restored, and where in it. */
export class BackupMistake extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}
