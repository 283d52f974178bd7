import type { ReportCounts } from '../../core/database/report-counts.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { ReceiverStates } from '../../core/outbox/receivers.ts';
import { isForOwner } from './receivers/receivers.ts';

type ReceiverDeps = {
  outbox: Pick<Outbox, 'lastFailed'>;
  reportCounts: Pick<ReportCounts, 'countQueues' | 'findLastDelivered' | 'listRefused'>;
  receiverStates: Pick<ReceiverStates, 'listPaused'>;
};

export type ReceiverState = Awaited<ReturnType<typeof readReceivers>>[number];

/** What each receiver got, what waits for it, and why it gets nothing now. */
export async function readReceivers(
  { outbox, reportCounts, receiverStates }: ReceiverDeps,
  names: readonly string[],
) {
  const queues = await reportCounts.countQueues(names);
  const paused = await receiverStates.listPaused(names);
  return Promise.all(
    queues.map(async ({ receiver, ...queue }) => {
      const lastDelivered = await reportCounts.findLastDelivered(receiver);
      const refused = await reportCounts.listRefused(receiver, lastDelivered);
      return {
        ...queue,
        name: receiver,
        lastDelivered,
        lastFailed: await outbox.lastFailed(receiver),
        paused: paused.find(({ name }) => name === receiver),
        /** Since its last delivery. */
        refused: refused.length < getRefusalLimit(receiver) ? undefined : describeRefused(refused),
      };
    }),
  );
}

const visitorRefusals = 3;

/** A visitor's mail server refuses for reasons of its own, so that one refusal says nothing of the receiver. */
function getRefusalLimit(receiver: string): number {
  return isForOwner(receiver) ? 1 : visitorRefusals;
}

function describeRefused(refused: { at: string; reason: string }[]) {
  const [first] = refused;
  const last = refused.at(-1);
  return first && last && { count: refused.length, since: first.at, reason: last.reason };
}
