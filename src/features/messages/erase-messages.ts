import type { Clock } from '../../core/clock.ts';
import type { StorageCleanup } from '../../core/database/storage-cleanup.ts';
import type { AuditRow } from '../../core/database/tables.ts';
import type { AuditHasher } from '../privacy/audit-hasher.ts';
import { waitForDeliveries } from '../privacy/erase-person.ts';
import type { LocalCopies, LocalCopyCounts } from '../privacy/local-copies.ts';
import type { Lease, Privacy } from '../privacy/privacy.ts';

export type EraseMessagesDeps = {
  privacy: Pick<Privacy, 'eraseMessages' | 'listLeases' | 'deleteDeliveries' | 'cleanUpStorage'>;
  copies: Pick<LocalCopies, 'erase'>;
  ledger: { append(rows: readonly AuditRow[]): Promise<void> };
  auditHasher: Pick<AuditHasher, 'hashReference'>;
  clock: Clock;
};

export type ErasedMessages = { copies: LocalCopyCounts; activeLeases: Lease[]; cleanup: StorageCleanup };

/** What an erasure of these messages covers, and which references are of no message. */
export async function findMessagesToErase(
  { privacy }: { privacy: Pick<Privacy, 'listMessages' | 'listDeliveries'> },
  references: readonly string[],
) {
  const [messages, deliveries] = await Promise.all([
    privacy.listMessages(references),
    privacy.listDeliveries(references),
  ]);
  const known = new Set(messages.map(({ reference }) => reference));
  return { messages, deliveries, unknown: references.filter(reference => !known.has(reference)) };
}

const noOne = { belongsToPerson: () => false, mentions: () => false, redact: (text: string) => text };

/** In the order of `erasePerson`, and with its audit: a backup that is restored later deletes them again. */
export async function eraseMessages(
  { privacy, copies, ledger, auditHasher, clock }: EraseMessagesDeps,
  references: readonly string[],
): Promise<ErasedMessages> {
  const at = clock.now().toISOString();
  const rows = references.map(reference => ({
    hash: auditHasher.hashReference(reference),
    action: 'erase-message' as const,
    done_at: at,
    counts: '{}',
  }));
  await ledger.append(rows);
  await privacy.eraseMessages({ references, redacted: [], notes: [], notices: [], audit: rows });
  const activeLeases = await waitForDeliveries({ privacy, clock }, references);
  await privacy.deleteDeliveries(references);
  const erased = await copies.erase({ ...noOne, references: new Set(references), upTo: at });
  const cleanup = await privacy.cleanUpStorage({ address: undefined, references: new Set(references) });
  return { copies: erased, activeLeases, cleanup };
}
