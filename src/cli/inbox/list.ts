import { omitIdempotencyKey } from '../../domain/messages/format-messages.ts';
import { listMessages } from '../../domain/messages/read-inbox.ts';
import { pickMessageFields } from '../../features/messages/message-fields.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { describeShown, printError, printJson, printNote, printTable } from '../print.ts';

type Filter = Parameters<typeof listMessages>[1]['filter'];

export type Filters = TextOptions<'since' | 'service' | 'search'> & { state?: Filter['state'] | undefined };
type Values = Filters & TextOptions<'before'> & Flags<'json'> & { limit: number };

export async function list({ domainDeps }: Services, { limit, before, ...values }: Values): Promise<void> {
  const page = await listMessages(domainDeps, { ...parseFilters(values), limit, before });
  if (!page) return printError(`no message with the reference ${before}`);
  const { messages, next, total, isTotalExact } = page;
  if (values.json)
    return printJson({ total, isTotalExact, next, messages: messages.map(omitIdempotencyKey) });
  printTable(
    messages.map(row => ({
      reference: row.reference,
      received: row.received_at,
      state: describeState(row),
      ...pickMessageFields(row),
    })),
  );
  if (next) printNote(`${describeShown(messages.length, total, isTotalExact)} Next page: --before ${next}`);
  else if (messages.length === 0 && before) printNote('No more messages');
  else if (messages.length === 0) {
    printNote('No messages found');
    if (values.service !== undefined) printNote('--service must match the name in the form exactly.');
  }
}

export function parseFilters({ since, state, service, search: query }: Filters) {
  if (query !== undefined && !query.trim()) throwUsageError('--search requires at least one word');
  const filter: Filter = {
    ...(state && { state }),
    ...(service !== undefined && { service }),
    ...(since && { since }),
  };
  return { filter, query };
}

export function describeState({
  state,
  quarantine_reason: reason,
}: {
  state: string;
  quarantine_reason: string;
}) {
  return reason ? `${state} (${reason})` : state;
}
