import type { Wired } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { formatCount, printJson, printNote } from '../print.ts';
import { printTable } from '../table.ts';
import { printLines } from '../terminal.ts';
import { type Counts, countUnsent } from './follow-issue.ts';
import { findNamed } from './stop.ts';

const labels = { dead: 'failed', unsure: 'possibly sent' } as const;

export async function status(
  { store }: Wired,
  name: string | undefined,
  { limit, json: isJson }: Flags<'json'> & { limit: number },
): Promise<void> {
  const { issues, receivers, signUps } = store;
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
  const paused = (await receivers.listPaused()).filter(one => lines.includes(one.name));
  const requests = await signUps.countSignUps();
  if (isJson) return printJson({ issues: shown, ...(named && { letters: whom }), paused, requests });

  printTable(
    shown.map(({ queued_at: queued, name, subject, ...rest }) => ({ name, subject, queued, ...rest })),
  );
  if (whom.length > 0) {
    printLines(['']);
    printTable(whom.map(({ settled_at: at, why, ...row }) => ({ ...row, at, why })));
    const total = shown.reduce((sum, row) => sum + row.failed + row['possibly sent'], 0);
    if (total > whom.length) printNote(`${whom.length} of ${total} are shown.`);
  }
  for (const { name: line, paused_at, paused_why } of paused) {
    printNote(
      `The line '${line}' has been paused since ${paused_at}: ${paused_why}. Mend it and restart the server.`,
    );
  }
  if (requests > 0)
    printNote(`${formatCount(requests, 'request')} to subscribe not looked at yet (NEWSLETTER_CEILING).`);
  if (shown.length === 0) printNote('No issue has been sent.');
}

const lines = ['confirmations', 'newsletter'];

function figures(counts: Counts) {
  return {
    recipients: Object.values(counts).reduce((sum, one) => sum + one, 0),
    sent: counts.delivered,
    waiting: countUnsent(counts),
    held: counts.held,
    failed: counts.dead,
    'possibly sent': counts.unsure,
    dropped: counts.dropped,
  };
}
