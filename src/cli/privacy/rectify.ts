import { createAddressMatcher } from '../../domain/privacy/address-matcher.ts';
import { listCorrectionTasks } from '../../domain/privacy/follow-up-tasks.ts';
import { planRectification, rectifyPerson } from '../../domain/privacy/rectify-person.ts';
import type { Correction } from '../../features/messages/message-fields.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { describeCounts, formatCount, printError, printJson, printNote, printTable } from '../print.ts';
import { parseAddressMatcher } from './find.ts';

type Values = TextOptions<'name' | 'email' | 'reference'> & Flags<'yes' | 'json'>;

export async function rectify(services: Services, address: string, values: Values): Promise<void> {
  const matcher = parseAddressMatcher(address);
  const change = parseChange(values);
  const { reference } = values;
  const plan = await planRectification(services.domainDeps, matcher, { change, reference });
  if (plan.kind === 'nothing')
    return printError(
      reference === undefined
        ? `no data to change for ${matcher.address}`
        : `${reference} is not a message of ${matcher.address}`,
    );
  if (plan.kind === 'undeliverable')
    return printError(`'${change.email}' is not a valid email address. Nothing was changed.`);
  const { found, rows, isSubscriber } = plan;
  if (!values.json) printChanges(rows, change);
  if (!values.json && isSubscriber) {
    printNote(
      'Newsletter: the old address is unsubscribed, and the new one is asked to confirm. Consent is not transferred.',
    );
  }
  if (!(await confirm('Change them?', values, 'Nothing was changed'))) return;
  // Planned again: a delivery may have been made while the question was open.
  const again = await planRectification(services.domainDeps, matcher, { change, reference });
  const current = 'found' in again ? again.found : found;
  const { cleanup, ...done } = await rectifyPerson(services.domainDeps, matcher, current, change);
  const tasks = await listCorrectionTasks(services.domainDeps, listCopyTargets(services), current);
  if (values.json) return printJson({ address: matcher.address, change, ...done, tasks });
  const { newsletter: moved, ...counts } = done;
  printNote(`Corrected: ${describeCounts(counts) || 'nothing'}`);
  if (moved) printNote(`Newsletter: ${moved}`);
  for (const { where, what, references: these } of tasks)
    printNote(`To do: ${where}: ${what}: ${these.join(', ')}`);
  if (cleanup.kind === 'sqlite' && !cleanup.isClean) {
    printNote(
      'A long read, such as a backup, keeps the old data in the write-ahead log (WAL) until it is truncated.',
    );
  }
}

function parseChange({ name, email }: Values): Correction {
  if (name === undefined && email === undefined) throwUsageError('rectify requires --name or --email');
  if (email !== undefined && !createAddressMatcher(email))
    throwUsageError(`--email is '${email}', which is not an email address`);
  if (name !== undefined && (name.length > 200 || name.includes('\0') || !name.isWellFormed())) {
    throwUsageError('--name must be at most 200 characters of text');
  }
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email: email.trim() }) };
}

function printChanges(
  rows: readonly { reference: string; received_at: string; name: string; email: string }[],
  change: Correction,
): void {
  printTable(
    rows.map(({ reference, received_at: time, name, email }) => ({
      reference,
      time,
      old: [change.name === undefined ? '' : name, change.email === undefined ? '' : email]
        .filter(Boolean)
        .join(', '),
      new: [change.name, change.email].filter(Boolean).join(', '),
    })),
  );
  printNote(`${formatCount(rows.length, 'message')} to change`);
}
