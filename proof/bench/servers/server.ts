import type { Place } from '../cores.ts';

export type BenchServer = {
  name: 'ours' | 'nginx' | 'sirv';
  version: string;
  pid: number;
  port: number;
  stop(): Promise<void>;
};

/** A server that is not installed says so, and how to get it. */
export type Started = BenchServer | { absent: string };

export type Setting = {
  /** Temporary, removed at the end. */
  folder: string;
  /** The built files with their .gz siblings. */
  site: string;
  place: Place;
};
