import { getLastRun } from './database/recorded-runs.ts';
import type { Schedule } from './database/schedule.ts';
import type { StorageCleanup } from './database/storage-cleanup.ts';
import type { Lease } from './outbox/leases.ts';
import type { ErasureLog, Task } from './personal-data.ts';

export const longRead =
  'Until a long read of the database, such as a backup, has ended, the old data stays in a file beside it.';

/** What an erasure could not reach. `isRepeatable`: the same can be asked for again. */
export function listProblems(
  { activeLeases, cleanup }: { activeLeases: readonly Lease[]; cleanup: StorageCleanup },
  { isRepeatable = true } = {},
): string[] {
  const sending = new Set(activeLeases.map(({ reference, receiver }) => `${reference} to ${receiver}`));
  return [
    ...(sending.size > 0
      ? [
          `Being delivered at this moment, so a copy may arrive: ${[...sending].join(', ')}.${isRepeatable ? ' Repeat this in a minute.' : ''}`,
        ]
      : []),
    ...(cleanup.kind === 'sqlite' && !cleanup.isClean
      ? [`${longRead}${isRepeatable ? ' Repeat this then.' : ''}`]
      : []),
  ];
}

export function describeTask({ where, what, references }: Task): string {
  return `To do: ${where}: ${what}${references.length > 0 ? `: ${references.join(', ')}` : ''}.`;
}

/** Backups are not searched. */
export async function listBackupTasks(deps: {
  schedule: Pick<Schedule, 'lastRun'>;
  erasureLog: Pick<ErasureLog, 'path'>;
}): Promise<Task[]> {
  const last = await getLastRun(deps, 'backup');
  if (!last) return [];
  return [
    {
      where: 'backups',
      what: `those made up to ${last.slice(0, 16).replace('T', ' ')} still contain the data; let them expire. A restore erases it again, as long as ${deps.erasureLog.path} exists`,
      references: [],
    },
  ];
}

type Postgres = Extract<StorageCleanup, { kind: 'postgres' }>;

export function listPostgresTasks(cleanup: StorageCleanup): Task[] {
  if (cleanup.kind === 'sqlite') return [];
  return [vacuumTask(cleanup), logTask(cleanup)];
}

function vacuumTask({ tables, settings, samples }: Postgres): Task {
  const dead = tables.filter(({ deadRows }) => deadRows > 0);
  const shown = dead.map(({ name, deadRows }) => `${name} ${deadRows}`).join(', ') || 'none counted yet';
  const names = tables.map(({ name }) => name).join(', ');
  const sampled =
    samples.length === 0
      ? ''
      : `. Planner statistics contain the address until ANALYZE samples other rows in ${samples.join(', ')}`;
  return {
    where: 'PostgreSQL, dead rows',
    what: `deleted rows remain in their pages until VACUUM (dead rows so far: ${shown}; autovacuum is ${settings.autovacuum}). To remove them now: VACUUM (FULL) ${names}${sampled}`,
    references: [],
  };
}

function logTask({ settings, slots }: Postgres): Task {
  const settingsShown = [
    `wal_keep_size ${settings.wal_keep_size}`,
    `max_wal_size ${settings.max_wal_size}`,
    `archive_mode ${settings.archive_mode}`,
    slots.length === 0
      ? 'no replication slots'
      : `replication slots ${slots.map(({ name, retainedBytes }) => `${name} (${retainedBytes ?? 0} bytes retained)`).join(', ')}`,
  ];
  const archived =
    settings.archive_mode === 'off'
      ? ''
      : '; archived segments and base backups expire as you have configured them';
  return {
    where: 'PostgreSQL, write-ahead log',
    what: `segments contain the data until they are recycled (${settingsShown.join(', ')}). To speed this up: SELECT pg_switch_wal(), then CHECKPOINT${archived}`,
    references: [],
  };
}
