import { getLastRun } from '../../domain/backup/recorded-runs.ts';
import { acknowledgements } from '../../domain/messages/acknowledge-message.ts';
import type { Erased } from '../../domain/privacy/erase-person.ts';
import {
  listRemoteReceivers,
  type PersonalData,
  type RemoteReceiver,
} from '../../domain/privacy/search-personal-data.ts';
import type { Services } from '../../server/wire.ts';

export type Task = { where: string; what: string; references: string[] };

export async function listRemoteCopies(
  { config, receivers, domainDeps }: Services,
  found: Pick<PersonalData, 'deliveries' | 'mentions'>,
): Promise<RemoteReceiver[]> {
  const destinations = new Map(receivers.map(({ name, destination }) => [name as string, destination]));
  const local = new Set<string>([acknowledgements]);
  if (config.sheet.kind === 'file') local.add('sheet');
  if (!config.mail.smtp) local.add('mail');
  return listRemoteReceivers(domainDeps, found, { destinations, local });
}

const remoteCopyLabels: Record<string, string> = {
  sheet: 'rows in the sheet service',
  mail: 'mails in the mailbox for notifications, and in its archives,',
  webhook: 'entries in the system behind the webhook',
};

export function buildRemoteCopyTasks(
  remoteCopies: readonly RemoteReceiver[],
  action: 'erase' | 'rectify',
): Task[] {
  const verb = action === 'erase' ? 'delete' : 'correct';
  return remoteCopies.map(({ receiver, destination, references }) => ({
    where: destination ? `${receiver} (${destination})` : `${receiver} (no longer configured)`,
    what: `${verb} the ${remoteCopyLabels[receiver] ?? receiver} with these references`,
    references,
  }));
}

export function buildDigestTask(
  { config }: Services,
  { messages }: { messages: readonly { state: string; reference: string }[] },
): Task[] {
  const quarantined = messages.filter(({ state }) => state === 'quarantined' || state === 'spam');
  if (!config.mail.smtp || quarantined.length === 0) return [];
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
  { config, newsletter: site }: Services,
  { newsletter, deliveries }: Pick<PersonalData, 'newsletter' | 'deliveries'>,
): Task[] {
  const acknowledged = deliveries.filter(({ receiver }) => receiver === acknowledgements);
  const wasSent = [...(newsletter?.mails ?? []), ...acknowledged].some(({ state }) =>
    ['delivered', 'unconfirmed', 'failed'].includes(state),
  );
  if (!config.mail.smtp || !wasSent) return [];
  return [
    {
      where: `mail to the person (${site.subscriberMail.newsletter.destination})`,
      what: 'this mail server handled mails to the address; ask its provider to delete it, except from bounce and complaint lists',
      references: [],
    },
  ];
}

export async function buildBackupTask({ domainDeps, ledger }: Services): Promise<Task[]> {
  const last = await getLastRun(domainDeps, 'backup');
  if (!last) return [];
  return [
    {
      where: 'backups',
      what: `those made up to ${last.slice(0, 16).replace('T', ' ')} still contain the data; let them expire. A restore erases it again, as long as ${ledger.path} exists`,
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
