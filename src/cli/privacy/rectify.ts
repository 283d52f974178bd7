import { parseAddress } from '../../domain/newsletter/email-address.ts';
import { createAddressMatcher } from '../../domain/privacy/address-matcher.ts';
import { type Correction, isOnList, rectifyPerson } from '../../domain/privacy/rectify-person.ts';
import { searchPersonalData } from '../../domain/privacy/search-personal-data.ts';
import type { Wired } from '../../server/wire.ts';
import { confirm, type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';
import { printTable } from '../table.ts';
import { describeCounts } from './describe-person.ts';
import { depsOf, readTrace } from './find.ts';
import { listCopiesOutside, writeTasks } from './follow-up-tasks.ts';

type Values = TextOptions<'name' | 'email' | 'reference'> & Flags<'yes' | 'json'>;

export async function rectify(wired: Wired, address: string, values: Values): Promise<void> {
  const trace = readTrace(address);
  const change = readChange(values);
  const { reference: only } = values;
  const deps = { ...depsOf(wired), nudge: () => undefined };
  const whole = await searchPersonalData(deps, trace);
  const messages = whole.messages.filter(({ reference }) => only === undefined || reference === only);
  const newsletter = only === undefined ? whole.newsletter : undefined;
  const references = new Set(messages.map(({ reference }) => reference));
  const found = {
    ...{ messages, newsletter, subscriber: whole.subscriber },
    deliveries: whole.deliveries.filter(({ reference }) => references.has(reference)),
    mentions: [],
  };
  const hasSubscriberData = change.email !== undefined && isOnList(newsletter);
  if (messages.length === 0 && !hasSubscriberData) {
    return printError(
      only === undefined
        ? `Nothing of their own is known of ${trace.address} that this would change.`
        : `${only} is not a message of ${trace.address}.`,
    );
  }
  if (hasSubscriberData && !parseAddress(change.email ?? '')) {
    return printError(
      `'${change.email}' gets no newsletter: mail cannot be sent there. Nothing was changed.`,
    );
  }
  if (!values.json) await show(wired, [...references], change);
  if (!values.json && hasSubscriberData) {
    printNote(
      'The newsletter: the old address leaves, and a letter asks the new one to confirm. Consent is not moved.',
    );
  }
  if (!(await confirm('Change it?', values, 'Nothing was changed'))) return;
  const { settled, ...done } = await rectifyPerson(deps, trace, found, change);
  const tasks = writeTasks(await listCopiesOutside(wired, found), 'rectify');
  if (values.json) return printJson({ address: trace.address, change, ...done, tasks });
  const { newsletter: moved, ...counts } = done;
  printNote(`Put right: ${describeCounts(counts)}.`);
  if (moved) printNote(`The newsletter: ${moved}.`);
  for (const { where, what, references: these } of tasks)
    printNote(`To do: ${where}: ${what}: ${these.join(', ')}.`);
  if (settled.kind === 'sqlite' && !settled.isEmpty) {
    printNote(
      'Somebody reads the database for long, such as a backup: its log holds the old words until it is next emptied.',
    );
  }
}

function readChange({ name, email }: Values): Correction {
  if (name === undefined && email === undefined) throwUsageError('rectify takes --name or --email.');
  if (email !== undefined && !createAddressMatcher(email))
    throwUsageError(`--email is '${email}', which is no e-mail address.`);
  if (name !== undefined && (name.length > 200 || name.includes('\0') || !name.isWellFormed())) {
    throwUsageError('--name is not a name of at most 200 characters.');
  }
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email: email.trim() }) };
}

async function show({ store: { privacy } }: Wired, references: string[], change: Correction): Promise<void> {
  const rows = await privacy.listMessages(references);
  printTable(
    rows.map(({ reference, received_at: time, name, email }) => ({
      reference,
      time,
      was: [change.name === undefined ? '' : name, change.email === undefined ? '' : email]
        .filter(Boolean)
        .join(', '),
      'will be': [change.name, change.email].filter(Boolean).join(', '),
    })),
  );
  printNote(`${formatCount(rows.length, 'message')} will change.`);
}
