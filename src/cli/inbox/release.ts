import {
  markSpam as markAsSpam,
  releaseMessage,
  releaseQuarantined,
} from '../../domain/messages/moderate-messages.ts';
import type { Wired } from '../../server/wire.ts';
import { confirm, type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';

type Values = TextOptions<'reason' | 'since'> & Flags<'yes' | 'json'>;

export async function release(wired: Wired, references: string[], values: Values): Promise<void> {
  const { reason, since, yes } = values;
  if (reason !== undefined) {
    if (references.length > 0) throwUsageError('release takes references, or --reason, but not both.');
    // The names until 0.1.0 stay valid for one release.
    return releaseAll(wired, values, reason.replace(/^trap/, 'honeypot'));
  }
  if (since !== undefined || yes) throwUsageError('--since and --yes belong to release --reason.');
  if (references.length === 0) throwUsageError('release takes a reference, or --reason.');
  const deps = depsOf(wired);
  const released: string[] = [];
  for (const reference of references) {
    const result = await releaseMessage(deps, reference);
    if (result.kind === 'released') released.push(reference);
    else if (result.kind === 'unknown') printError(`There is no message ${reference}.`);
    else printError(`${reference} is neither in quarantine nor spam: it is ${result.state}.`);
  }
  if (values.json) printJson({ released });
  else for (const reference of released) printNote(`${reference} is let out and on its way.`);
}

function depsOf({ store: { messages }, clock, receivers }: Wired) {
  return { messages, clock, receivers: receivers.map(({ name }) => name) };
}

/** Messages that arrive while the question is read are not released unseen. */
async function releaseAll(wired: Wired, { since, ...values }: Values, reason: string): Promise<void> {
  const filter = { reason, ...(since && { since }), upTo: wired.clock.now().toISOString() };
  const found = await wired.store.messages.count({ ...filter, state: 'quarantined' });
  const which = `in quarantine with the reason '${reason}'${since ? ` that came since ${since}` : ''}`;
  if (found > 0 && !values.yes) {
    printNote(`There ${found === 1 ? 'is' : 'are'} ${formatCount(found, 'message')} ${which}.`);
    const names = wired.receivers.map(({ name }) => name).join(', ');
    if (!(await confirm(`Release, and send each to: ${names}?`, values, 'Nothing was released'))) return;
  }
  const released = await releaseQuarantined(depsOf(wired), filter);
  if (values.json) printJson({ reason, since: since ?? null, released });
  else if (found === 0) printNote(`There is no message ${which}.`);
  else printNote(`Let out and on their way: ${formatCount(released, 'message')}.`);
}

export async function markSpam(
  { store: { messages }, clock }: Wired,
  references: string[],
  { json: isJson }: Flags<'json'>,
): Promise<void> {
  const marked: string[] = [];
  for (const reference of references) {
    const result = await markAsSpam({ messages, clock }, reference);
    if (result.kind === 'marked') marked.push(reference);
    else if (result.kind === 'unknown') printError(`There is no message ${reference}.`);
    else printError(`${reference} was not marked: it is ${result.state}.`);
  }
  if (isJson) printJson({ marked });
  else
    for (const reference of marked) {
      printNote(`${reference} is spam now, and goes to nobody who does not have it yet.`);
    }
}
