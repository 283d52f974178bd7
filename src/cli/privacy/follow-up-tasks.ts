import { lastMaintenance } from '../../domain/backup/maintenance.ts';
import {
  listRemoteReceivers,
  type PersonalData,
  type RemoteReceiver,
} from '../../domain/privacy/search-personal-data.ts';
import type { Services } from '../../server/wire.ts';

/** For the owner to do by hand. It contains references but no personal data. */
export type Task = { where: string; what: string; references: string[] };

export async function listRemoteCopies(
  { config, receivers, domainDeps }: Services,
  found: Pick<PersonalData, 'deliveries' | 'mentions'>,
): Promise<RemoteReceiver[]> {
  const places = new Map(receivers.map(({ name, destination }) => [name as string, destination]));
  const local = new Set<string>();
  if (config.sheet.kind === 'file') local.add('sheet');
  if (!config.mail.smtp) local.add('mail');
  return listRemoteReceivers(domainDeps, found, { places, local });
}

const holders: Record<string, string> = {
  sheet: 'rows in the sheet service',
  mail: 'mails in the mailbox for notifications, and in its archives,',
  webhook: 'entries in the system behind the webhook',
};

export function writeTasks(outside: readonly RemoteReceiver[], action: 'erase' | 'rectify'): Task[] {
  const verb = action === 'erase' ? 'delete' : 'correct';
  return outside.map(({ receiver, place, references }) => ({
    where: place ? `${receiver} (${place})` : `${receiver} (no longer configured)`,
    what: `${verb} the ${holders[receiver] ?? receiver} with these references`,
    references,
  }));
}

/** Digest mails list the messages in quarantine. */
export function writeDigestTask({ config }: Services, { messages }: PersonalData): Task[] {
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
export function writeSubscriberMailTask(
  { config, newsletter: site }: Services,
  { newsletter }: PersonalData,
): Task[] {
  const wasSent = newsletter?.mails.some(({ state }) =>
    ['delivered', 'unconfirmed', 'failed'].includes(state),
  );
  if (!config.mail.smtp || !wasSent) return [];
  return [
    {
      where: `newsletter (${site.subscriberMail.newsletter.destination})`,
      what: 'this mail server handled mails to the address; ask its provider to delete it, except from bounce and complaint lists',
      references: [],
    },
  ];
}

export async function writeBackupTask({ domainDeps, ledger }: Services): Promise<Task[]> {
  const last = await lastMaintenance(domainDeps, 'backup');
  if (!last) return [];
  return [
    {
      where: 'backups',
      what: `those made up to ${last.slice(0, 16).replace('T', ' ')} still contain the data; let them expire. A restore erases it again, as long as ${ledger.place} exists`,
      references: [],
    },
  ];
}
