import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import type { Lease, Privacy } from '../../store/privacy.ts';

const [lookMs, patienceMs] = [100, 15_000];

/**
 * Waits for what is being delivered at this moment: whoever delivers it has read the words already, and may write them
 * somewhere yet. Those that did not come to an end: on their way to somebody slow, or left behind by a process that died.
 */
export async function awaitDeliveries(
  { privacy, clock }: { privacy: Pick<Privacy, 'listLeases'>; clock: Clock },
  references: readonly string[],
  subscriber?: string,
): Promise<Lease[]> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const leases = await privacy.listLeases(references, subscriber, clock.now().toISOString());
    if (leases.length === 0 || performance.now() > until) return leases;
    await wait(lookMs);
  }
}
