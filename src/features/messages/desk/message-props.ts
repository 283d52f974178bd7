import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import type { ReceiverStates } from '../../../core/outbox/receivers.ts';
import { revealControls } from '../../../lib/control-characters.ts';
import { formatNumber } from '../../../lib/format-number.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { createReplyUrl } from '../create-reply-url.ts';
import { detailFields } from '../message-fields.ts';
import { type AboutMessage, countByState, findNeighbours, getMessage } from '../read-inbox.ts';
import { explainReasons } from '../score-message.ts';
import type { ChangeName } from './change-messages.ts';
import { describeDelivery } from './describe-delivery.ts';
import { type ListFilter, toQuery, toSelection } from './list-filter.ts';
import { describeSender, messagesPath } from './list-props.ts';

type Found = NonNullable<Awaited<ReturnType<typeof getMessage>>>;
type MessageDeps = DepsOf<typeof getMessage | typeof findNeighbours | typeof countByState> & {
  receiverStates: Pick<ReceiverStates, 'listPaused'>;
};
type Note = { noteText: string; noteError: string | undefined };

/** Undefined where there is no such message. */
export async function buildMessageProps(
  { domainDeps, clock }: { domainDeps: MessageDeps; clock: Clock },
  reference: string,
  { filter, content, note }: { filter: ListFilter; content: string; note?: Note },
) {
  const found = await getMessage(domainDeps, reference);
  if (!found) return undefined;
  const { message, deliveries } = found;
  const [{ newer, older }, counts, paused] = await Promise.all([
    findNeighbours(domainDeps, toSelection(filter), message),
    countByState(domainDeps),
    domainDeps.receiverStates.listPaused(),
  ]);
  const now = clock.now();
  const list = toQuery({ ...filter, before: '' });
  const link = (other: string | undefined) => other && `${messagesPath}/${other}?${list}`;
  const moment = (at: string | null) => (at === null ? undefined : formatMoment(at, now));
  return {
    reference,
    state: message.state,
    sender: describeSender(message),
    email: revealControls(message.email),
    details: detailFields.flatMap(({ name, label, input }) => {
      const none = input === 'choice' ? 'None chosen' : 'None given';
      return name === 'name' ? [] : [{ label, value: revealControls(message[name]), none }];
    }),
    text: revealControls(message.message),
    received: formatMoment(message.received_at, now),
    answered: moment(message.answered_at),
    closed: moment(message.closed_at),
    reasons: explainReasons(message.quarantine_reason),
    replyUrl: createReplyUrl({ ...message, quote: message.message }),
    changes: changesByState[message.state],
    deliveries: deliveries.map(delivery => ({
      ...describeDelivery(delivery, found.attempts, now),
      isPaused: delivery.state === 'waiting' && paused.some(({ name }) => name === delivery.receiver),
    })),
    canRetry: deliveries.some(({ state }) => state === 'failed' || state === 'waiting'),
    notes: found.notes.map(({ created_at, text }) => ({
      created: formatMoment(created_at, now),
      text: revealControls(text),
    })),
    ...(note ?? { noteText: '', noteError: undefined }),
    report: found.about && buildReportProps(found.about, content, now),
    query: list,
    listPath: `${messagesPath}?${list}`,
    newerPath: link(newer),
    olderPath: link(older),
    newCount: counts.new > 0 ? formatNumber(counts.new) : '',
  };
}

/** What the domain accepts; anything else would be refused. */
const changesByState: Record<Found['message']['state'], ChangeName[]> = {
  new: ['answer', 'close', 'spam'],
  answered: ['close', 'reopen', 'spam'],
  closed: ['reopen', 'answer', 'spam'],
  quarantined: ['release', 'spam'],
  spam: ['release'],
  empty: [],
};

function buildReportProps({ heading, erased, found }: AboutMessage, content: string, now: Date) {
  if (!found) return { heading, erased };
  const { domain, measuredAt, ...summary } = found.describe(content);
  return {
    heading,
    domain: revealControls(domain),
    measured: formatMoment(measuredAt, now),
    ...summary,
  };
}
