import type { Clock } from '../../core/clock.ts';
import type { Schedule } from '../../core/database/schedule.ts';
import { cancelPendingRequests, noPersonalData } from './cancel-requests.ts';
import type { Subscribers } from './subscribers.ts';

type ExpireDeps = {
  subscribers: Pick<Subscribers, 'inErasingTransaction' | 'listOldConfirmations'>;
  schedule: Pick<Schedule, 'claimScheduledRun'>;
  copies: { expireMails(references: ReadonlySet<string>): Promise<void> };
  clock: Clock;
};

const hour = 60 * 60 * 1000;
const pendingRetentionMs = 7 * 24 * hour;
const pseudonymRetentionMs = 24 * hour;

export async function expirePendingSubscribers({
  subscribers,
  schedule,
  copies,
  clock,
}: ExpireDeps): Promise<number> {
  const now = clock.now();
  const isClaimed = await schedule.claimScheduledRun({
    name: 'newsletter-purge',
    now: now.toISOString(),
    lastRunBefore: before(now, hour),
  });
  if (!isClaimed) return 0;
  // Files go before the rows that name them, so that an interrupted run is repeated.
  const references = await subscribers.listOldConfirmations(before(now, pendingRetentionMs));
  if (references.length > 0) await copies.expireMails(new Set(references));
  return expirePendingRows(subscribers, now);
}

export function expirePendingRows(
  subscribers: Pick<Subscribers, 'inErasingTransaction'>,
  time: Date,
): Promise<number> {
  const now = time.toISOString();
  const pendingBefore = before(time, pendingRetentionMs);
  return subscribers.inErasingTransaction(async transaction => {
    await transaction.deleteSignUpsBefore(pendingBefore);
    // A confirmation that was sent late has a token that is valid for longer.
    const ended = await cancelPendingRequests(transaction, {
      mailedBefore: pendingBefore,
      withoutTokenAt: now,
    });
    // A subscriber that was suppressed while pending never gave consent either.
    await transaction.updateNeverConfirmed(pendingBefore, noPersonalData);
    await transaction.deleteExpiredTokens(now);
    await transaction.deleteOldConfirmations(pendingBefore);
    await transaction.clearPseudonyms(before(time, pseudonymRetentionMs));
    return ended;
  });
}

function before(time: Date, ms: number): string {
  return new Date(time.getTime() - ms).toISOString();
}
