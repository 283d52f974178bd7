import type { Outbox } from '../../store/outbox.ts';
import type { ReceiverStates } from '../../store/receivers.ts';
import type { ReportCounts } from '../../store/report-counts.ts';
import { listReceiverProblems } from './retry-deliveries.ts';

type ReceiverDeps = {
  outbox: Pick<Outbox, 'lastFailed'>;
  reportCounts: Pick<ReportCounts, 'countQueues' | 'findLastDelivered'>;
  receiverStates: Pick<ReceiverStates, 'listPaused' | 'listFailing'>;
};

export type ReceiverState = Awaited<ReturnType<typeof readReceivers>>[number];

/** What each receiver got, what waits for it, and why it gets nothing now. */
export async function readReceivers(
  { outbox, reportCounts, receiverStates }: ReceiverDeps,
  names: readonly string[],
) {
  const queues = await reportCounts.countQueues(names);
  const { paused, failing } = await listReceiverProblems({ receiverStates }, names);
  return Promise.all(
    queues.map(async ({ receiver, ...queue }) => ({
      ...queue,
      name: receiver,
      lastDelivered: await reportCounts.findLastDelivered(receiver),
      lastFailed: await outbox.lastFailed(receiver),
      paused: paused.find(({ name }) => name === receiver),
      failing: failing.find(({ name }) => name === receiver),
    })),
  );
}
