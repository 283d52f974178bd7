import type { AddressMatcher } from '../../core/address-matcher.ts';
import type { Clock } from '../../core/clock.ts';
import type { Storage, StorageCleanup } from '../../core/database/storage-cleanup.ts';
import {
  addCounts,
  type Correction,
  type CorrectionPlan,
  type Counts,
  type ErasureLog,
  type Task,
} from '../../core/personal-data.ts';
import { type SearchDeps, searchPersonalData } from './search-personal-data.ts';

export type RectifyDeps = {
  storage: Pick<Storage, 'cleanUp'>;
  erasureLog: Pick<ErasureLog, 'record' | 'hashAddress'>;
  clock: Clock;
};

export type Plan = { kind: 'nothing' | 'undeliverable' } | { kind: 'ready'; parts: CorrectionPlan[] };

/** `reference`: only in this message. */
export async function planRectification(
  deps: SearchDeps,
  matcher: AddressMatcher,
  { change, reference }: { change: Correction; reference: string | undefined },
): Promise<Plan> {
  const found = await searchPersonalData(deps, matcher);
  const parts: CorrectionPlan[] = [];
  for (const part of found.parts) {
    const plan = await part.planCorrection?.(change, reference);
    if (plan) parts.push(plan);
  }
  if (parts.every(({ isEmpty }) => isEmpty)) return { kind: 'nothing' };
  return parts.some(({ isUndeliverable }) => isUndeliverable)
    ? { kind: 'undeliverable' }
    : { kind: 'ready', parts };
}

export type Rectified = {
  json: Record<string, unknown>;
  done: string[];
  tasks: Task[];
  cleanup: StorageCleanup;
};

export async function rectifyPerson(
  { storage, erasureLog, clock }: RectifyDeps,
  matcher: AddressMatcher,
  parts: readonly CorrectionPlan[],
): Promise<Rectified> {
  const counts: Counts = {};
  const json: Record<string, unknown> = {};
  const done: string[] = [];
  const tasks: Task[] = [];
  for (const part of parts) {
    const applied = await part.apply();
    addCounts(counts, applied.counts);
    Object.assign(json, applied.json);
    done.push(...applied.done);
    tasks.push(...(await part.listTasks()));
  }
  await erasureLog.record([
    {
      hash: erasureLog.hashAddress(matcher.address),
      action: 'rectify',
      done_at: clock.now().toISOString(),
      counts: JSON.stringify(counts),
    },
  ]);
  return { json, done, tasks, cleanup: await storage.cleanUp() };
}
