import type { WiredSite } from './site.ts';

type Result =
  | { state: 'delivered' }
  | { state: 'failed'; reason: string }
  | { state: 'waiting'; reason: string; dueAt: string };

/** Claims one delivery that is due for the receiver, and settles it. */
export async function settleDue({ store: { outbox } }: WiredSite, receiver: string, result: Result) {
  const now = new Date().toISOString();
  const how = { attempts: 9, isPossibleDuplicate: false, isAmbiguous: false, now };
  for (const delivery of await outbox.claim({ receiver, now, lease: 'x', leaseUntil: now, limit: 1 }))
    await outbox.settle(delivery, { ...result, ...how });
}
