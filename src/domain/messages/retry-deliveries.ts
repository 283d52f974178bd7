import type { Clock } from '../../lib/clock.ts';
import type { Outbox } from '../../store/outbox.ts';
import type { ReceiverStates } from '../../store/receivers.ts';

type RetryDeps = {
  outbox: Pick<Outbox, 'retryNow'>;
  receiverStates: Pick<ReceiverStates, 'listPaused' | 'resume'>;
  clock: Clock;
};

type RetryInput = {
  states: readonly ('failed' | 'waiting')[];
  reference?: string | undefined;
  receiver?: string | undefined;
};

export async function retryDeliveries(
  { outbox, receiverStates, clock }: RetryDeps,
  { states, reference, receiver }: RetryInput,
): Promise<{ retried: number; resumed: string[] }> {
  const filter = { states, ...(receiver && { receiver }), ...(reference && { reference }) };
  const retried = await outbox.retryNow(filter, clock.now().toISOString());
  const resumed: string[] = [];
  for (const { name } of reference ? [] : await receiverStates.listPaused()) {
    if (receiver && name !== receiver) continue;
    await receiverStates.resume(name);
    resumed.push(name);
  }
  return { retried, resumed };
}

export async function listReceiverProblems(
  { receiverStates }: { receiverStates: Pick<ReceiverStates, 'listPaused' | 'listFailing'> },
  names?: readonly string[],
) {
  const isNamed = ({ name }: { name: string }) => !names || names.includes(name);
  const [paused, failing] = await Promise.all([receiverStates.listPaused(), receiverStates.listFailing()]);
  return { paused: paused.filter(isNamed), failing: failing.filter(isNamed) };
}
