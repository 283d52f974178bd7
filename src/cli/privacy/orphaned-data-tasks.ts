import type { Erased } from '../../domain/privacy/erase-person.ts';
import type { Task } from './follow-up-tasks.ts';

type StorageCleanup = Erased['cleanup'];
type Postgres = Extract<StorageCleanup, { kind: 'postgres' }>;

export function writeOrphanedDataTasks(cleanup: StorageCleanup): Task[] {
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
      : `replication slots ${slots.map(({ name, heldBytes }) => `${name} (${heldBytes ?? 0} bytes retained)`).join(', ')}`,
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
