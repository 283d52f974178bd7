import {
  listOutsideReceivers,
  type OutsideReceiver,
  type PersonalData,
} from '../../domain/privacy/search-personal-data.ts';
import type { Wired } from '../../server/wire.ts';

/** For the owner to do by hand. It names references and no personal data. */
export type Task = { where: string; what: string; references: string[] };

export async function listCopiesOutside(
  { config, receivers, store: { privacy } }: Wired,
  { deliveries, mentions }: Pick<PersonalData, 'deliveries' | 'mentions'>,
): Promise<OutsideReceiver[]> {
  const places = new Map(receivers.map(({ name, destination }) => [name as string, destination]));
  const inside = new Set<string>();
  if (config.sheet.kind === 'file') inside.add('sheet');
  if (!config.mail.smtp) inside.add('mail');
  const others = await privacy.listDeliveries(mentions.map(({ reference }) => reference));
  return listOutsideReceivers([...deliveries, ...others], { places, inside });
}

const holders: Record<string, string> = {
  sheet: 'rows in the sheet service',
  mail: 'mails in the mailbox that is told of messages, and in its archives,',
  webhook: 'entries in the chat or system behind the webhook',
};

export function writeTasks(outside: readonly OutsideReceiver[], deed: 'erase' | 'rectify'): Task[] {
  const verb = deed === 'erase' ? 'remove' : 'put right';
  return outside.map(({ receiver, place, references }) => ({
    where: place ? `${receiver} (${place})` : `${receiver} (no longer configured)`,
    what: `${verb} the ${holders[receiver] ?? receiver} with these references`,
    references,
  }));
}

/** Messages in quarantine are named in the digest mails. */
export function writeDigestTask({ config }: Wired, { messages }: PersonalData): Task[] {
  const aside = messages.filter(({ state }) => state === 'quarantined' || state === 'spam');
  if (!config.mail.smtp || aside.length === 0) return [];
  return [
    {
      where: 'mail (digests)',
      what: "remove the mails 'messages in quarantine' that name these references",
      references: aside.map(({ reference }) => reference),
    },
  ];
}

/** The mail provider may list the address, whatever became of the mails. */
export function writeLettersTask({ config, newsletter: site }: Wired, { newsletter }: PersonalData): Task[] {
  const wasSent = newsletter?.letters.some(({ state }) => ['delivered', 'unsure', 'dead'].includes(state));
  if (!config.mail.smtp || !wasSent) return [];
  return [
    {
      where: `newsletter (${site.letters.newsletter.destination})`,
      what: 'letters to the address were carried by this mail server; ask its provider to forget it, but not that it bounced or complained',
      references: [],
    },
  ];
}

export async function writeBackupTask({ store: { schedule }, ledger }: Wired): Promise<Task[]> {
  const last = await schedule.lastTurn('backup');
  if (!last) return [];
  return [
    {
      where: 'backups',
      what: `those made up to ${last.slice(0, 16).replace('T', ' ')} still hold it; let them run out. A restore erases it again, as long as ${ledger.place} is kept`,
      references: [],
    },
  ];
}
