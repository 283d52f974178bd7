import type { Wired } from '../../server/wire.ts';
import type { Flags, TextOptions } from '../command.ts';
import { printJson, printNote } from '../print.ts';
import { printTable } from '../table.ts';
import { countUpTo, describeShown } from './list.ts';

/** Without the queues of subscriber mail, which `npm run newsletter` shows. */
export const receivers = ['sheet', 'mail', 'webhook'];

type Values = TextOptions<'to'> & Flags<'dead' | 'waiting' | 'json'> & { limit: number };

export async function deliveries(wired: Wired, { to, limit, ...values }: Values): Promise<void> {
  const { outbox } = wired.store;
  const states = values.dead
    ? (['dead'] as const)
    : values.waiting
      ? (['waiting', 'sending'] as const)
      : undefined;
  const filter = states
    ? { states, receivers: to ? [to] : receivers }
    : // Whatever their state, the newest are found by their time; letters to readers are not among them.
      { kinds: ['message', 'notice'] as const, ...(to && { receiver: to }) };
  const [found, { total, isTotalExact }, paused, failing, stopped] = await Promise.all([
    outbox.list(filter, limit),
    countUpTo(most => outbox.count(filter, most)),
    listPaused(wired.store),
    listFailing(wired.store),
    findLowSpace(wired),
  ]);
  if (values.json) {
    const shown = found.map(({ lease: _, payload: __, ...row }) => row);
    const files = stopped ? { fileCopiesStopped: stopped } : {};
    return printJson({ total, isTotalExact, paused, failing, ...files, deliveries: shown });
  }
  printTable(
    found.map(({ reference, receiver, state, attempts, ...row }) => ({
      ...{ reference, receiver, state, attempts },
      due: state === 'waiting' ? row.due_at : '',
      'possibly twice': row.is_possibly_twice ? 'yes' : '',
      'last failure': row.last_failure,
    })),
  );
  for (const { name, paused_at, paused_why } of paused)
    printNote(
      `The ${name} has been paused since ${paused_at}: ${paused_why}. ` +
        'Mend its settings and start the site again, or: npm run inbox -- retry --waiting',
    );
  for (const { name, failing_at, failing_why, refusals } of failing)
    printNote(
      `The ${name} has been failing since ${failing_at}: it refused ${refusals} in a row, the last with: ${failing_why}. ` +
        'Until it accepts one, it gets one new delivery a minute.',
    );
  if (stopped) printNote(`File copies stopped: ${stopped}. What waits is written once there is space again.`);
  if (total > found.length) printNote(describeShown(found.length, total, isTotalExact));
  if (values.dead && total > 0)
    printNote('Once the receiver takes them again: npm run inbox -- retry --dead');
  if (total === 0) printNote(values.dead ? 'None was given up.' : 'There is nothing to show.');
}

export async function listPaused(store: Wired['store']) {
  return (await store.receivers.listPaused()).filter(({ name }) => receivers.includes(name));
}

async function listFailing(store: Wired['store']) {
  return (await store.receivers.listFailing()).filter(({ name }) => receivers.includes(name));
}

export async function findLowSpace({ receivers }: Pick<Wired, 'receivers'>): Promise<string | undefined> {
  return receivers.find(({ lowSpace }) => lowSpace)?.lowSpace?.();
}
