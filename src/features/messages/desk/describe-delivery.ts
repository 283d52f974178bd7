import { replaceControls } from '../../../lib/control-characters.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import type { getMessage } from '../read-inbox.ts';
import { getReceiverLabel } from '../receivers/receiver-types.ts';

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
    explanation: state === 'delivered' || !last_failure ? '' : explainFailure(last_failure),
    attempts: attempts
      .filter(attempt => attempt.receiver === receiver)
      .map(({ number, ended_at, state: result, reason }) => ({
        number,
        ended: formatMoment(ended_at, now),
        text: reason ? explainFailure(reason) : result === 'delivered' ? 'Delivered' : 'Not delivered',
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

const explanations: [RegExp, string][] = [
  [/^marked as spam$/, 'The message was marked as spam'],
  [/answered (401|407)\b|login|does not accept the secret/, 'It did not accept our password or key'],
  [/firewall|filter/, 'A filter in front of it refused the text'],
  [/answered (404|410)\b/, 'Its address is wrong, or it was moved'],
  [/answered (402|408|425|429)\b/, 'It was too busy'],
  [/answered 5\d\d( 4|\b(?! 5))/, 'It had a fault of its own'],
  [/could not be written|disk|space/, 'The file could not be written on this machine'],
  [/host name|not found|connect|reset|in time|TLS|certificate|closed/i, 'It could not be reached'],
  [/interrupted|no attempt finished/, 'The site stopped while it was being sent'],
  [/answered \d/, 'It refused the delivery'],
];

/** In words of an owner, with the exact reason for the person who mends it. */
function explainFailure(reason: string): string {
  const found = explanations.find(([pattern]) => pattern.test(reason));
  const exact = replaceControls(reason);
  return found ? `${found[1]} (${exact})` : exact;
}
