import type { Wired } from '../../server/wire.ts';
import type { Task } from './follow-up-tasks.ts';

type Settled = Awaited<ReturnType<Wired['store']['privacy']['settle']>>;
type Postgres = Extract<Settled, { kind: 'postgres' }>;

export function writeOrphanedDataTasks(settled: Settled): Task[] {
  if (settled.kind === 'sqlite') return [];
  return [vacuumTask(settled), logTask(settled)];
}

function vacuumTask({ tables, settings, samples }: Postgres): Task {
  const dead = tables.filter(({ deadRows }) => deadRows > 0);
  const shown = dead.map(({ name, deadRows }) => `${name} ${deadRows}`).join(', ') || 'none counted yet';
  const names = tables.map(({ name }) => name).join(', ');
  const sampled =
    samples.length === 0
      ? ''
      : `. The planner keeps samples that hold the address until ANALYZE finds other rows in ${samples.join(', ')}`;
  return {
    where: 'PostgreSQL, old rows',
    what: `rows that are gone stay in their pages until VACUUM has been there (counted so far: ${shown}; autovacuum is ${settings.autovacuum}). At once: VACUUM (FULL) ${names}${sampled}`,
    references: [],
  };
}

function logTask({ settings, slots }: Postgres): Task {
  const kept = [
    `wal_keep_size ${settings.wal_keep_size}`,
    `max_wal_size ${settings.max_wal_size}`,
    `archive_mode ${settings.archive_mode}`,
    slots.length === 0
      ? 'no replication slots'
      : `replication slots ${slots.map(({ name, heldBytes }) => `${name} (${heldBytes ?? 0} bytes held)`).join(', ')}`,
  ];
  const archived =
    settings.archive_mode === 'off'
      ? ''
      : '; archived segments and base backups run out as you have set them';
  return {
    where: 'PostgreSQL, write-ahead log',
    what: `segments hold it until they are used again (${kept.join(', ')}). Sooner: SELECT pg_switch_wal(), then CHECKPOINT${archived}`,
    references: [],
  };
}
