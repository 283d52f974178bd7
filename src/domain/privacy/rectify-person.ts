import type { Clock } from '../../lib/clock.ts';
import type { Privacy, Settled } from '../../store/privacy.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { MessageRow } from '../../store/tables.ts';
import { type ImportDeps, importSubscribers } from '../subscribers/import-subscribers.ts';
import { awaitDeliveries } from './await-deliveries.ts';
import type { Copies } from './copies.ts';
import type { Findings } from './find-person.ts';
import type { AuditNaming } from './naming.ts';
import type { Trace } from './trace.ts';

export type RectifyDeps = Omit<ImportDeps, 'subscribers'> & {
  privacy: Privacy;
  subscribers: ImportDeps['subscribers'] & Pick<Subscribers, 'leave'>;
  copies: Pick<Copies, 'rectify'>;
  audit: AuditNaming;
  clock: Clock;
};

export type Correction = { name?: string; email?: string };

export type Rectified = {
  messages: number;
  rows: number;
  mails: number;
  /** What became of the newsletter, where an address changed. */
  newsletter: 'left, and the new address is asked' | 'left; the new address is known already' | undefined;
  settled: Settled;
};

/**
 * Puts a name or an address right in somebody's messages and in every copy of them that can be reached. An address that
 * gets the newsletter is not changed: the old one leaves, and whoever has the new one is asked.
 */
export async function rectifyPerson(
  deps: RectifyDeps,
  trace: Trace,
  { messages, newsletter, subscriber }: Pick<Findings, 'messages' | 'newsletter' | 'subscriber'>,
  change: Correction,
): Promise<Rectified> {
  const { privacy, clock } = deps;
  const references = messages.map(({ reference }) => reference);
  await privacy.rectifyMessages(references, change);
  // Whoever delivers one of them at this moment has read the old words.
  await awaitDeliveries(deps, references);
  const corrected: MessageRow[] = await privacy.listMessages(references);
  const copies = await deps.copies.rectify(corrected, change);
  const moved =
    change.email !== undefined && subscriber !== undefined && isOnList(newsletter)
      ? await moveReader(deps, subscriber, change.email)
      : undefined;
  const counts = { messages: corrected.length, ...copies, newsletter: Number(moved !== undefined) };
  await privacy.record([
    {
      hash: deps.audit.ofAddress(trace.address),
      action: 'rectify',
      done_at: clock.now().toISOString(),
      counts: JSON.stringify(counts),
    },
  ]);
  // What was wrong stands in the log of an embedded database until that is emptied.
  return { messages: corrected.length, ...copies, newsletter: moved, settled: await privacy.settle() };
}

/** Gets the newsletter, or has asked for it. */
export function isOnList(newsletter: Findings['newsletter']): boolean {
  const state = newsletter?.subscriber?.state;
  return state === 'confirmed' || state === 'pending' || (newsletter?.signUps.length ?? 0) > 0;
}

async function moveReader(
  deps: RectifyDeps,
  subscriber: string,
  email: string,
): Promise<Rectified['newsletter']> {
  await deps.subscribers.leave(subscriber, deps.clock.now().toISOString());
  const none = { state: '', form: '', wording: '', asked_at: '', confirmed_at: '' };
  const cells = { address: email, ...none, left_at: '', suppressed_at: '', suppressed_why: '' };
  const { counts } = await importSubscribers(deps, () => only({ line: 1, cells }), {
    asConfirmed: false,
    isDryRun: false,
    onMistake: () => undefined,
  });
  return counts.ask > 0 ? 'left, and the new address is asked' : 'left; the new address is known already';
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}
