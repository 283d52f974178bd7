import { describeFailure, readStoredFailure } from '../../../core/outbox/failures.ts';
import { replaceControls } from '../../../lib/control-characters.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import type { getMessage } from '../read-inbox.ts';
import { getReceiverLabel } from '../receivers/receivers.ts';
import { explainFailure } from './explain-failure.ts';

type Found = NonNullable<Awaited<ReturnType<typeof getMessage>>>;
type Delivery = Found['deliveries'][number];

export function describeDelivery(delivery: Delivery, attempts: Found['attempts'], now: Date) {
  const { receiver, state, due_at, settled_at, last_failure, is_possible_duplicate } = delivery;
  const moment = state === 'waiting' ? due_at : settled_at;
  return {
    receiver: getReceiverLabel(receiver),
    state: tones[state] ?? ('plain' as const),
    summary: summaries[state] + (is_possible_duplicate ? ', perhaps twice' : ''),
    moment: moment && state !== 'sending' ? formatMoment(moment, now) : undefined,
    explanation: state === 'delivered' || !last_failure ? '' : describeForOwner(last_failure),
    attempts: attempts
      .filter(attempt => attempt.receiver === receiver)
      .map(({ number, ended_at, state: result, reason }) => ({
        number,
        ended: formatMoment(ended_at, now),
        text: reason ? describeForOwner(reason) : result === 'delivered' ? 'Delivered' : 'Not delivered',
      })),
  };
}

const tones: Partial<Record<Delivery['state'], 'good' | 'attention'>> = {
  delivered: 'good',
  failed: 'attention',
};

const summaries: Record<Delivery['state'], string> = {
  waiting: 'Waiting, next attempt',
  sending: 'Being sent now',
  delivered: 'Delivered',
  failed: 'Failed, given up',
  held: 'Stopped',
  unconfirmed: 'Perhaps delivered',
  cancelled: 'Cancelled',
};

/** In words of an owner, with the exact reason for the person who mends it. */
function describeForOwner(stored: string): string {
  const failure = readStoredFailure(stored);
  const explanation = explainFailure(failure);
  const exact = replaceControls(describeFailure(failure));
  return explanation ? `${explanation} (${exact})` : exact;
}
