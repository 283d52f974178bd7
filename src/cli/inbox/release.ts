import { markSpam as markAsSpam } from '../../domain/messages/mark-spam.ts';
import { countQuarantined } from '../../domain/messages/read-inbox.ts';
import { releaseMessage, releaseQuarantined } from '../../domain/messages/release-messages.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';

type Values = TextOptions<'reason' | 'since'> & Flags<'yes' | 'json'>;

export async function release(services: Services, references: string[], values: Values): Promise<void> {
  const { reason, since } = values;
  if (reason !== undefined) {
    if (references.length > 0) throwUsageError('release takes either references or --reason, not both');
    // The names until 0.1.0 stay valid for one release.
    return releaseAll(services, values, reason.replace(/^trap/, 'honeypot'));
  }
  if (since !== undefined) throwUsageError('--since can only be used with --reason');
  if (references.length === 0) throwUsageError('release requires a reference or --reason');
  const released: string[] = [];
  for (const reference of references) {
    const result = await releaseMessage(services.domainDeps, reference);
    if (result.kind === 'released') released.push(reference);
    else if (result.kind === 'unknown') printError(`no message with the reference ${reference}`);
    else printError(`${reference} is not in quarantine or spam; its state is ${result.state}`);
  }
  if (values.json) printJson({ released });
  else for (const reference of released) printNote(`${reference} released; its deliveries are queued`);
}

/** Messages that arrive while the question is open are not released. */
async function releaseAll(services: Services, { since, ...values }: Values, reason: string): Promise<void> {
  const filter = { reason, ...(since && { since }), upTo: services.clock.now().toISOString() };
  const found = await countQuarantined(services.domainDeps, filter);
  const which = `in quarantine with the reason '${reason}'${since ? `, received since ${since}` : ''}`;
  if (found > 0 && !values.yes) {
    printNote(`${formatCount(found, 'message')} ${which}`);
    const names = services.receivers.map(({ name }) => name).join(', ');
    if (!(await confirm(`Release them and deliver each to ${names}?`, values, 'Nothing was released')))
      return;
  }
  const released = await releaseQuarantined(services.domainDeps, filter);
  if (values.json) printJson({ reason, since: since ?? null, released });
  else if (found === 0) printNote(`No messages ${which}`);
  else printNote(`${formatCount(released, 'message')} released; their deliveries are queued`);
}

export async function markSpam(
  { domainDeps }: Services,
  references: string[],
  { json: isJson }: Flags<'json'>,
): Promise<void> {
  const marked: string[] = [];
  for (const reference of references) {
    const result = await markAsSpam(domainDeps, reference);
    if (result.kind === 'marked') marked.push(reference);
    else if (result.kind === 'unknown') printError(`no message with the reference ${reference}`);
    else printError(`${reference} not marked as spam; its state is ${result.state}`);
  }
  if (isJson) printJson({ marked });
  else
    for (const reference of marked) {
      printNote(`${reference} marked as spam; pending deliveries are cancelled`);
    }
}
