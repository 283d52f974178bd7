import type { Receivers } from '../../store/receivers.ts';

/** Which of the named receivers, or of all, are paused or refuse what they get. */
export async function listReceiverProblems(
  { receiverStates }: { receiverStates: Pick<Receivers, 'listPaused' | 'listFailing'> },
  names?: readonly string[],
) {
  const isNamed = ({ name }: { name: string }) => !names || names.includes(name);
  const [paused, failing] = await Promise.all([receiverStates.listPaused(), receiverStates.listFailing()]);
  return { paused: paused.filter(isNamed), failing: failing.filter(isNamed) };
}
