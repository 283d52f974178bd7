import type { Clock } from '../../core/clock.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { ReceiverStates } from '../../core/outbox/receivers.ts';

type RetryDeps = {
  outbox: Pick<Outbox, 'retryNow' | 'list'>;
  receiverStates: Pick<ReceiverStates, 'listPaused' | 'resume'>;
  clock: Clock;
};

type RetryInput = {
  states: readonly ('failed' | 'waiting')[];
  reference?: string | undefined;
  receiver?: string | undefined;
};

/** The deliveries of one message leave a receiver paused: `paused` are those that keep them from being sent. */
export async function retryDeliveries(
  { outbox, receiverStates, clock }: RetryDeps,
  { states, reference, receiver }: RetryInput,
): Promise<{ retried: number; resumed: string[]; paused: string[] }> {
  const filter = { states, ...(receiver && { receiver }), ...(reference && { reference }) };
  const retried = await outbox.retryNow(filter, clock.now().toISOString());
  const stopped = await receiverStates.listPaused();
  if (reference) {
    const waiting = await outbox.list({ reference, states: ['waiting'] }, maxReceivers);
    const paused = stopped.filter(({ name }) => waiting.some(one => one.receiver === name));
    return { retried, resumed: [], paused: paused.map(({ name }) => name) };
  }
  const resumed: string[] = [];
  for (const { name } of stopped) {
    if (receiver && name !== receiver) continue;
    await receiverStates.resume(name);
    resumed.push(name);
  }
  return { retried, resumed, paused: [] };
}

const maxReceivers = 10;
