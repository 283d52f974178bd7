import type { Moment } from '../format-time.ts';

export type HealthPages = {
  health: HealthProps;
  'health/launch': LaunchProps;
  'health/setting': SettingProps;
};

export type HealthProps = {
  receivers: ReceiverLine[];
  test: TestLine | null;
  backups: { last: Moment | null; isOld: boolean; files: BackupLine[]; folder: string; max: number };
  system: { term: string; text: string; problem?: string }[];
  launch: OpenChecks;
};

export type OpenChecks = { required: number; recommended: number };

export type ReceiverLine = {
  name: string;
  label: string;
  destination: string;
  waiting: number;
  waitingSince: Moment | null;
  failed: number;
  lastDelivered: Moment | null;
  lastFailure: { at: Moment; reason: string } | null;
  /** Mail to subscribers that failed is not sent again from here: an issue has a page of its own. */
  canRetry: boolean;
  /** Why it gets nothing now, or hardly anything. */
  problem: ReceiverProblem | null;
};

/** `refusing`: it took nothing since it refused deliveries, which are not many enough to be tried less often. */
export type ReceiverProblem = { since: Moment; reason: string } & (
  | { kind: 'paused' | 'failing' }
  | { kind: 'refusing'; count: number }
);

export type TestLine = {
  sent: Moment;
  reference: string;
  results: { label: string; isTaken: boolean; text: string }[];
};

export type BackupLine = { name: string; path: string; size: string; at: Moment };

export type LaunchProps = {
  lines: LaunchLine[];
  open: OpenChecks;
  /** When the checks that connect to the site were last run. */
  online: Moment | null;
};

export type LaunchLine = {
  name: string;
  level: 'required' | 'recommended';
  state: 'ready' | 'failed' | 'not checked';
  detail: string;
  /** What to do elsewhere; null where the place is a page of the desk. */
  advice: string | null;
  reason: string;
  place: Place | null;
};

/** Where the owner mends it: a page of the desk, or a place elsewhere that has no link. */
export type Place = { text: string; path?: string };

export type SettingProps = { name: string; text: string; value: string };
