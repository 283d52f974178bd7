import type { Findings } from '../../domain/privacy/find-person.ts';
import { listOutside, type Outside } from '../../domain/privacy/list-outside.ts';
import type { Wired } from '../../server/wire.ts';

/** What a command cannot reach, for the owner to do. It names references and nothing else of anybody. */
export type Task = { where: string; what: string; references: string[] };

/** Everyone outside who may have a copy of their messages, or of others' that mention them. */
export async function listCopiesOutside(
  { config, receivers, store: { privacy } }: Wired,
  { deliveries, mentions }: Pick<Findings, 'deliveries' | 'mentions'>,
): Promise<Outside[]> {
  const places = new Map(receivers.map(({ name, place }) => [name as string, place]));
  const inside = new Set<string>();
  if (config.sheet.kind === 'file') inside.add('sheet');
  if (!config.mail.smtp) inside.add('mail');
  const others = await privacy.listDeliveries(mentions.map(({ reference }) => reference));
  return listOutside([...deliveries, ...others], { places, inside });
}

const holders: Record<string, string> = {
  sheet: 'rows in the sheet service',
  mail: 'mails in the mailbox that is told of messages, and in its archives,',
  webhook: 'entries in the chat or system behind the webhook',
};

export function writeTasks(outside: readonly Outside[], deed: 'erase' | 'rectify'): Task[] {
  const verb = deed === 'erase' ? 'remove' : 'put right';
  return outside.map(({ receiver, place, references }) => ({
    where: place ? `${receiver} (${place})` : `${receiver} (no longer configured)`,
    what: `${verb} the ${holders[receiver] ?? receiver} with these references`,
    references,
  }));
}

/** Whoever is in quarantine stands in a digest, which was sent as a mail. */
export function writeDigestTask({ config }: Wired, { messages }: Findings): Task[] {
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

/** A provider that carried letters to the address may list it, whatever became of them. */
export function writeLettersTask({ config, newsletter: site }: Wired, { newsletter }: Findings): Task[] {
  const wasSent = newsletter?.letters.some(({ state }) => ['delivered', 'unsure', 'dead'].includes(state));
  if (!config.mail.smtp || !wasSent) return [];
  return [
    {
      where: `newsletter (${site.letters.newsletter.place})`,
      what: 'letters to the address were carried by this mail server; ask its provider to forget it, but not that it bounced or complained',
      references: [],
    },
  ];
}

export async function writeBackupTask({ store: { outbox }, ledger }: Wired): Promise<Task[]> {
  const last = await outbox.lastTurn('backup');
  if (!last) return [];
  return [
    {
      where: 'backups',
      what: `those made up to ${last.slice(0, 16).replace('T', ' ')} still hold it; let them run out. A restore erases it again, as long as ${ledger.place} is kept`,
      references: [],
    },
  ];
}
