import { errorFields } from '../log.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import type { Delivery, Settlement } from './deliveries.ts';
import type { Receiver } from './delivery.ts';
import { describeFailure } from './failures.ts';
import { decideSettlement, notifyAfterAttempts } from './retry-policy.ts';
import { retryWrite } from './retry-write.ts';
import type { WorkerDeps } from './worker-deps.ts';

export async function settleAttempt(
  deps: WorkerDeps,
  receiver: Receiver,
  delivery: Delivery,
  { result, stopping }: { result: AttemptResult; stopping: AbortSignal },
): Promise<void> {
  const { outbox, log } = deps;
  const { name } = receiver;
  const kind = deps.kinds[delivery.kind];
  try {
    const settlement = decideSettlement(deps, receiver, delivery, result);
    const rescheduledState = kind?.getRescheduledState?.(delivery);
    const isSettled = await retryWrite({ log, name, stopping }, () =>
      outbox.settle(delivery, settlement, rescheduledState),
    );
    if (!isSettled) log.warn('lease lost', { receiver: name, reference: getLogReference(delivery) });
    else {
      deps.onSettled?.(name, settlement.state);
      await reportSettlement(deps, receiver, delivery, { result, settlement });
    }
    await kind?.afterAttempt?.(delivery, result.outcome);
  } catch (error) {
    // Its lease expires, and the next claim marks it as ambiguous.
    log.error('delivery not settled', { receiver: name, ...errorFields(error) });
  }
}

async function reportSettlement(
  { log, reportProblem }: WorkerDeps,
  receiver: Receiver,
  delivery: Delivery,
  { result: { outcome }, settlement }: { result: AttemptResult; settlement: Settlement },
): Promise<void> {
  const { name, destination, isForOwner, isFailingReported } = receiver;
  const { state, attempts } = settlement;
  const fields = { receiver: name, destination, reference: getLogReference(delivery), attempts };
  if (outcome.kind === 'delivered') return log.info('delivered', fields);
  const { failure } = outcome;
  const reason = describeFailure(failure);
  if (state === 'cancelled') return log.info('delivery cancelled', { ...fields, reason });
  const event = state === 'unconfirmed' ? 'delivery unconfirmed' : 'delivery attempt failed';
  log.warn(event, { ...fields, reason });
  const isFailing = outcome.kind === 'retry' && state === 'waiting' && attempts >= notifyAfterAttempts;
  if (isFailing && isFailingReported) await reportProblem(receiver, 'failing', failure);
  if (outcome.kind === 'erased' || state !== 'failed') return;
  log.error('delivery failed permanently', { ...fields, reason });
  if (isForOwner) await reportProblem(receiver, 'failed', failure);
}

/** Which issues a subscriber got is personal data: the log, which outlives erasure, contains the issue's reference instead. */
function getLogReference({ reference, issue }: Delivery): string {
  return issue ?? reference;
}
