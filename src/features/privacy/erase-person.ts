import type { AddressMatcher } from '../../core/address-matcher.ts';
import type { Clock } from '../../core/clock.ts';
import type { Storage, StorageCleanup } from '../../core/database/storage-cleanup.ts';
import type { ErasureLogRow } from '../../core/database/tables.ts';
import type { LocalCopies } from '../../core/local-files.ts';
import { type Lease, type Leases, waitForDeliveries } from '../../core/outbox/leases.ts';
import { addCounts, type Counts, type ErasableData, type ErasureLog } from '../../core/personal-data.ts';
import {
  type FoundPerson,
  isNothingFound,
  type SearchDeps,
  searchPersonalData,
  selectCopies,
} from './search-personal-data.ts';

export type EraseDeps = SearchDeps & {
  copies: Pick<LocalCopies, 'find' | 'erase'>;
  outbox: Leases;
  storage: Pick<Storage, 'cleanUp'>;
  erasureLog: Pick<ErasureLog, 'append' | 'record' | 'hashReference'>;
  clock: Clock;
};

export type Erased = {
  at: string;
  counts: Counts;
  activeLeases: Lease[];
  cleanup: StorageCleanup;
  remaining: FoundPerson;
  isDone: boolean;
};

type Given = {
  extraReferences?: readonly string[];
  found?: FoundPerson;
  /** Unless it is of the newsletter alone. */
  action?: ErasureLogRow['action'];
};

/** Each round finds data that was written during the one before. */
const maxRounds = 3;

/** The file of the erasure log comes first, as no backup restores it; rows go before files, so that no copy of a removed row is written. */
export async function erasePerson(
  deps: EraseDeps,
  matcher: AddressMatcher,
  { extraReferences = [], found, action = 'erase' }: Given = {},
): Promise<Erased> {
  const at = deps.clock.now().toISOString();
  const counts: Counts = {};
  const activeLeases: Lease[] = [];
  const erased = new Set(extraReferences);
  let remaining = found ?? (await searchPersonalData(deps, matcher, extraReferences));
  for (const part of remaining.parts) for (const name of Object.keys(part.counts)) counts[name] = 0;
  for (let round = 0; round < maxRounds && !isNothingFound(remaining, at); round++) {
    const parts = remaining.parts.map(part => part.select(at));
    for (const reference of parts.flatMap(({ references }) => references)) erased.add(reference);
    if (round === 0) {
      const done = JSON.stringify(countErasable(parts, remaining, at));
      await recordErasure(deps, [
        { hash: deps.erasureLog.hashAddress(matcher.address), action, done_at: at, counts: done },
        ...describeErasedMessages(deps, [...erased], at),
      ]);
    }
    activeLeases.push(...(await eraseRows(deps, parts, erased, { at, counts })));
    addCounts(counts, await deps.copies.erase({ ...matcher, references: erased, upTo: at }));
    remaining = await searchPersonalData(deps, matcher, [...erased]);
  }
  // Also if nothing was found: an earlier run may have been interrupted before this step.
  const cleanup = await deps.storage.cleanUp({ address: matcher.foldedAddress, references: erased });
  const isEmpty = cleanup.kind !== 'sqlite' || cleanup.isClean;
  const hasUnmanagedFiles = remaining.copies.some(({ kind }) => kind === 'unmanaged file');
  const isDone = isEmpty && !hasUnmanagedFiles && activeLeases.length === 0 && isNothingFound(remaining, at);
  return { at, counts, activeLeases, cleanup, remaining, isDone };
}

/** Returns the deliveries that did not end in time. */
async function eraseRows(
  deps: Pick<EraseDeps, 'outbox' | 'clock'>,
  parts: readonly ErasableData[],
  erased: ReadonlySet<string>,
  { at, counts }: { at: string; counts: Counts },
): Promise<Lease[]> {
  const references = [...erased];
  for (const part of parts) addCounts(counts, (await part.eraseRows?.(references)) ?? {});
  const leases = parts.flatMap(part => part.leases ?? []);
  const active = await waitForDeliveries(deps, {
    references: [...references, ...leases.flatMap(lease => lease.references)],
    subscriber: leases.find(({ subscriber }) => subscriber !== undefined)?.subscriber,
  });
  for (const part of parts) addCounts(counts, (await part.eraseDelivered?.(references, at)) ?? {});
  return active;
}

function countErasable(parts: readonly ErasableData[], found: FoundPerson, at: string): Counts {
  const counts: Counts = {};
  for (const part of parts) addCounts(counts, part.counts);
  const copies = selectCopies(found, at);
  const count = (wanted: string) => copies.filter(({ kind }) => kind === wanted).length;
  return { ...counts, rows: count('row'), mails: count('mail') };
}

/** To be called before anything is erased. */
export async function recordErasure(
  { erasureLog }: { erasureLog: Pick<ErasureLog, 'append' | 'record'> },
  rows: readonly ErasureLogRow[],
): Promise<void> {
  await erasureLog.append(rows);
  await erasureLog.record(rows);
}

/** Of each message: a backup may hold it under the address that it had before a correction. */
export function describeErasedMessages(
  { erasureLog }: { erasureLog: Pick<ErasureLog, 'hashReference'> },
  references: readonly string[],
  done_at: string,
): ErasureLogRow[] {
  return references.map(reference => ({
    hash: erasureLog.hashReference(reference),
    action: 'erase-message' as const,
    done_at,
    counts: '{}',
  }));
}
