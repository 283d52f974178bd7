import type { Wired } from '../../server/wire.ts';
import { type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';
import { listPaused } from './deliveries.ts';

type Values = TextOptions<'to'> & Flags<'dead' | 'waiting' | 'json'>;

export async function retry(
  { store, clock }: Wired,
  reference: string | undefined,
  { to, ...values }: Values,
): Promise<void> {
  const asked = [Boolean(reference), values.dead, values.waiting].filter(Boolean).length;
  if (asked !== 1) throwUsageError('retry takes a reference, or --dead, or --waiting.');
  const states = reference
    ? (['dead', 'waiting'] as const)
    : values.dead
      ? (['dead'] as const)
      : (['waiting'] as const);
  const filter = { states, ...(to && { receiver: to }), ...(reference && { reference }) };
  const count = await store.outbox.replay(filter, clock.now().toISOString());
  const isMeant = ({ name }: { name: string }) => !reference && (!to || name === to);
  const paused = (await listPaused(store)).filter(isMeant);
  for (const { name } of paused) await store.receivers.resume(name);
  if (values.json) printJson({ retried: count, resumed: paused.map(({ name }) => name) });
  else for (const { name } of paused) printNote(`The ${name} was paused; it is no longer.`);
  if (count === 0 && reference) printError(`Nothing of ${reference} waits or was given up.`);
  else if (values.json) return;
  else if (count === 0) printNote(values.dead ? 'None was given up.' : 'Nothing waits.');
  else
    printNote(
      `${count.toLocaleString('en-GB')} ${count === 1 ? 'delivery is' : 'deliveries are'} due now, for the server that runs or starts next.`,
    );
}
