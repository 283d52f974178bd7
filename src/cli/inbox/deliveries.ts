import type { Wired } from '../../server/wire.ts';
import { readLimit } from '../command.ts';
import { note, print } from '../say.ts';
import { printTable } from '../table.ts';
import { type Call, countUpTo, readReceiver, receivers, refuse, tellShown } from './call.ts';

export async function deliveries(wired: Wired, call: Call): Promise<void> {
  const { outbox } = wired.store;
  const { values } = call;
  if (values.dead && values.waiting) refuse('Choose --dead or --waiting.');
  const limit = readLimit(values.limit);
  const to = readReceiver(call);
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
    listPaused(outbox),
    listFailing(outbox),
    whyStopped(wired),
  ]);
  if (values.json) {
    const shown = found.map(({ lease: _, payload: __, ...row }) => row);
    const files = stopped ? { fileCopiesStopped: stopped } : {};
    return print({ total, isTotalExact, paused, failing, ...files, deliveries: shown });
  }
  printTable(
    ['reference', 'receiver', 'state', 'attempts', 'due', 'possibly twice', 'last failure'],
    found.map(row => [
      row.reference,
      row.receiver,
      row.state,
      String(row.attempts),
      row.state === 'waiting' ? row.due_at : '',
      row.is_possibly_twice ? 'yes' : '',
      row.last_failure,
    ]),
  );
  for (const { name, paused_at, paused_why } of paused)
    note(
      `The ${name} has been paused since ${paused_at}: ${paused_why}. ` +
        'Mend its settings and start the site again, or: npm run inbox -- retry --waiting',
    );
  for (const { name, failing_at, failing_why, refusals } of failing)
    note(
      `The ${name} has been failing since ${failing_at}: it refused ${refusals} in a row, the last with: ${failing_why}. ` +
        'Until it accepts one, it gets one new delivery a minute.',
    );
  if (stopped) note(`File copies stopped: ${stopped}. What waits is written once there is space again.`);
  if (total > found.length) note(tellShown(found.length, total, isTotalExact));
  if (values.dead && total > 0) note('Once the receiver takes them again: npm run inbox -- retry --dead');
  if (total === 0) note(values.dead ? 'None was given up.' : 'There is nothing to show.');
}

export async function listPaused(outbox: Wired['store']['outbox']) {
  return (await outbox.listPaused()).filter(({ name }) => receivers.includes(name));
}

async function listFailing(outbox: Wired['store']['outbox']) {
  return (await outbox.listFailing()).filter(({ name }) => receivers.includes(name));
}

/** Why no copies are written as files now, where any are. */
export async function whyStopped({ receivers }: Pick<Wired, 'receivers'>): Promise<string | undefined> {
  return receivers.find(({ lowSpace }) => lowSpace)?.lowSpace?.();
}
