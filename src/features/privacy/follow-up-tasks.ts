import { getLastRun } from '../../core/database/recorded-runs.ts';
import type { Schedule } from '../../core/database/schedule.ts';
import { isForVisitor } from '../messages/receivers/receiver-types.ts';
import type { Erased } from './erase-person.ts';
import {
  type CopyTargets,
  listRemoteReceivers,
  type PersonalData,
  type RemoteReceiver,
  type SearchDeps,
} from './search-personal-data.ts';

/** What the owner has to do, because the software cannot. */
export type Task = { where: string; what: string; references: string[] };

type TaskDeps = Pick<SearchDeps, 'privacy'> & { schedule: Pick<Schedule, 'lastRun'> };

/** Read before the erasure, which removes the deliveries that name the receivers. */
export async function listErasureTasks(
  deps: TaskDeps,
  targets: CopyTargets,
  found: Pick<PersonalData, 'messages' | 'mentions' | 'deliveries' | 'newsletter'>,
): Promise<Task[]> {
  return [
    ...buildRemoteCopyTasks(await listRemoteReceivers(deps, found, targets), 'erase'),
    ...buildDigestTask(targets, found),
    ...buildSubscriberMailTask(targets, found),
    ...(await buildBackupTask(deps, targets)),
  ];
}

const remoteCopyLabels: Record<string, string> = {
  sheet: 'rows in the sheet service',
  mail: 'mails in the mailbox for notifications, and in its archives,',
  webhook: 'entries in the system behind the webhook',
};

export async function listCorrectionTasks(
  deps: Pick<SearchDeps, 'privacy'>,
  targets: CopyTargets,
  found: Pick<PersonalData, 'mentions' | 'deliveries'>,
): Promise<Task[]> {
  return buildRemoteCopyTasks(await listRemoteReceivers(deps, found, targets), 'rectify');
}

function buildRemoteCopyTasks(remoteCopies: readonly RemoteReceiver[], action: 'erase' | 'rectify'): Task[] {
  const verb = action === 'erase' ? 'delete' : 'correct';
  return remoteCopies.map(({ receiver, destination, references }) => ({
    where: destination ? `${receiver} (${destination})` : `${receiver} (no longer configured)`,
    what: `${verb} the ${remoteCopyLabels[receiver] ?? receiver} with these references`,
    references,
  }));
}

function buildDigestTask({ mailServer }: CopyTargets, { messages }: Pick<PersonalData, 'messages'>): Task[] {
  const quarantined = messages.filter(({ state }) => state === 'quarantined' || state === 'spam');
  if (!mailServer || quarantined.length === 0) return [];
  return [
    {
      where: 'mail (digests)',
      what: "delete the mails 'messages in quarantine' that list these references",
      references: quarantined.map(({ reference }) => reference),
    },
  ];
}

/** The mail provider may have logged the address, whether or not the mails arrived. */
export function buildSubscriberMailTask(
  { mailServer }: Pick<CopyTargets, 'mailServer'>,
  { newsletter, deliveries }: Pick<PersonalData, 'newsletter' | 'deliveries'>,
): Task[] {
  const acknowledged = deliveries.filter(({ receiver }) => isForVisitor(receiver));
  const wasSent = [...(newsletter?.mails ?? []), ...acknowledged].some(({ state }) =>
    ['delivered', 'unconfirmed', 'failed'].includes(state),
  );
  if (!mailServer || !wasSent) return [];
  return [
    {
      where: `mail to the person (${mailServer})`,
      what: 'this mail server handled mails to the address; ask its provider to delete it, except from bounce and complaint lists',
      references: [],
    },
  ];
}

async function buildBackupTask(
  deps: Pick<TaskDeps, 'schedule'>,
  { ledgerPath }: CopyTargets,
): Promise<Task[]> {
  const last = await getLastRun(deps, 'backup');
  if (!last) return [];
  return [
    {
      where: 'backups',
      what: `those made up to ${last.slice(0, 16).replace('T', ' ')} still contain the data; let them expire. A restore erases it again, as long as ${ledgerPath} exists`,
      references: [],
    },
  ];
}

type Postgres = Extract<Erased['cleanup'], { kind: 'postgres' }>;

export function buildPostgresCleanupTasks(cleanup: Erased['cleanup']): Task[] {
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
