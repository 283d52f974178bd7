import type { Clock } from '../../core/clock.ts';
import type { Storage, StorageCleanup } from '../../core/database/storage-cleanup.ts';
import type { LocalCopies, LocalCopyCounts } from '../../core/local-files.ts';
import { type Lease, type Leases, waitForDeliveries } from '../../core/outbox/leases.ts';
import type { ErasureLog } from '../../core/personal-data.ts';
import type { Messages } from './messages.ts';

export type EraseMessagesDeps = {
  messages: Pick<Messages, 'eraseMessages' | 'deleteDeliveries'>;
  outbox: Leases;
  storage: Pick<Storage, 'cleanUp'>;
  copies: Pick<LocalCopies, 'erase'>;
  erasureLog: Pick<ErasureLog, 'append' | 'record' | 'hashReference'>;
  clock: Clock;
};

export type ErasedMessages = { copies: LocalCopyCounts; activeLeases: Lease[]; cleanup: StorageCleanup };

/** What an erasure of these messages covers, and which references are of no message. */
export async function findMessagesToErase(
  { messages: stored }: { messages: Pick<Messages, 'listMessages' | 'listDeliveries'> },
  references: readonly string[],
) {
  const [messages, deliveries] = await Promise.all([
    stored.listMessages(references),
    stored.listDeliveries(references),
  ]);
  const known = new Set(messages.map(({ reference }) => reference));
  return { messages, deliveries, unknown: references.filter(reference => !known.has(reference)) };
}

const noOne = { belongsToPerson: () => false, mentions: () => false, redact: (text: string) => text };

/** In the order of `erasePerson`, and in the erasure log as well: a backup that is restored later deletes them again. */
export async function eraseMessages(
  { messages, outbox, storage, copies, erasureLog, clock }: EraseMessagesDeps,
  references: readonly string[],
): Promise<ErasedMessages> {
  const at = clock.now().toISOString();
  const rows = references.map(reference => ({
    hash: erasureLog.hashReference(reference),
    action: 'erase-message' as const,
    done_at: at,
    counts: '{}',
  }));
  await erasureLog.append(rows);
  await erasureLog.record(rows);
  await messages.eraseMessages({ references, redacted: [], notes: [], notices: [] });
  const activeLeases = await waitForDeliveries({ outbox, clock }, { references });
  await messages.deleteDeliveries(references);
  const erased = await copies.erase({ ...noOne, references: new Set(references), upTo: at });
  const cleanup = await storage.cleanUp({ address: undefined, references: new Set(references) });
  return { copies: erased, activeLeases, cleanup };
}
