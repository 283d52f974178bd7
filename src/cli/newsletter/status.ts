import type { Wired } from '../../server/wire.ts';
import { readLimit } from '../command.ts';
import { note, print } from '../say.ts';
import { printTable } from '../table.ts';
import { printLines } from '../terminal.ts';
import { type Call, count } from './call.ts';
import { type Counts, waitingIn } from './follow.ts';
import { findNamed } from './stop.ts';

/** What the states of a letter are called here. */
const labels = { dead: 'failed', unsure: 'possibly sent' } as const;

export async function status({ store }: Wired, { given: [name], values }: Call): Promise<void> {
  const { issues, outbox, subscribers } = store;
  const limit = readLimit(values.limit);
  const named = name === undefined ? undefined : await findNamed(issues, name);
  if (name !== undefined && !named) return;
  const found = named ? [named] : await issues.list(limit);
  const shown = await Promise.all(
    found.map(async ({ reference, name, subject, queued_at }) => ({
      ...{ name, subject, queued_at },
      ...figures(await issues.count(reference)),
    })),
  );
  const letters = named ? await issues.listLetters(named.reference, ['unsure', 'dead'], limit) : [];
  const whom = letters.map(({ address, subscriber, state, attempts, last_failure, settled_at }) => ({
    address: address ?? subscriber,
    state: labels[state as keyof typeof labels],
    ...{ attempts, settled_at, why: last_failure },
  }));
  const paused = (await outbox.listPaused()).filter(one => lines.includes(one.name));
  const requests = await subscribers.countSignUps();
  if (values.json) return print({ issues: shown, ...(named && { letters: whom }), paused, requests });

  printTable(
    [
      'name',
      'subject',
      'queued',
      'recipients',
      'sent',
      'waiting',
      'held',
      'failed',
      'possibly sent',
      'dropped',
    ],
    shown.map(row => Object.values(row).map(String)),
  );
  if (whom.length > 0) {
    printLines(['']);
    printTable(
      ['address', 'state', 'attempts', 'at', 'why'],
      whom.map(row => [row.address, row.state, String(row.attempts), row.settled_at ?? '', row.why]),
    );
    const total = shown.reduce((sum, row) => sum + row.failed + row['possibly sent'], 0);
    if (total > whom.length) note(`${whom.length} of ${total} are shown.`);
  }
  for (const { name: line, paused_at, paused_why } of paused) {
    note(
      `The line '${line}' has been paused since ${paused_at}: ${paused_why}. Mend it and restart the server.`,
    );
  }
  if (requests > 0)
    note(`${count(requests, 'request')} to subscribe not looked at yet (NEWSLETTER_CEILING).`);
  if (shown.length === 0) note('No issue has been sent.');
}

const lines = ['confirmations', 'newsletter'];

/** In the order of the columns. */
function figures(counts: Counts) {
  return {
    recipients: Object.values(counts).reduce((sum, one) => sum + one, 0),
    sent: counts.delivered,
    waiting: waitingIn(counts),
    held: counts.held,
    failed: counts.dead,
    'possibly sent': counts.unsure,
    dropped: counts.dropped,
  };
}
