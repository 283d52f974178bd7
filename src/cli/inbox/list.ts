import { omitIdempotencyKey } from '../../domain/messages/format-messages.ts';
import { searchMessages } from '../../domain/messages/search-messages.ts';
import type { Wired } from '../../server/wire.ts';
import { type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';
import { printTable } from '../table.ts';

type Messages = Wired['store']['messages'];
type Row = Awaited<ReturnType<Messages['list']>>[number];
type Filter = Parameters<Messages['count']>[0];

export type Filters = TextOptions<'since' | 'service' | 'search'> & { state?: Row['state'] | undefined };
type Values = Filters & TextOptions<'before'> & Flags<'json'> & { limit: number };

export async function list({ store: { messages } }: Wired, values: Values): Promise<void> {
  const { limit } = values;
  const { filter, words } = readFilter(values);
  const before = values.before && (await messages.get(values.before));
  if (values.before && !before) return printError(`There is no message ${values.before}.`);

  const page = { limit: limit + 1, ...(before && { before }) };
  const found = words
    ? await search(messages, filter, { ...page, words })
    : await messages.list(filter, page);
  const shown = found.slice(0, limit);
  const next = found.length > limit ? (shown.at(-1)?.reference ?? null) : null;
  const { total, isTotalExact } = await countAll();

  if (values.json) return printJson({ total, isTotalExact, next, messages: shown.map(omitIdempotencyKey) });
  printTable(
    shown.map(row => ({
      reference: row.reference,
      received: row.received_at,
      state: describeState(row),
      name: row.name,
      'e-mail': row.email,
      service: row.service,
      message: row.message,
    })),
  );
  if (next)
    printNote(`${describeShown(shown.length, total, isTotalExact)} For the next page add: --before ${next}`);
  else if (shown.length === 0) printNote(describeEmpty(values));

  /** A search knows its total only at its end. */
  async function countAll(): Promise<{ total: number | null; isTotalExact: boolean }> {
    if (words)
      return next || before
        ? { total: null, isTotalExact: false }
        : { total: shown.length, isTotalExact: true };
    return countUpTo(most => messages.count(filter, most));
  }
}

export function readFilter({ since, state, service, search: words }: Filters) {
  if (words !== undefined && !words.trim()) throwUsageError('--search takes words to look for.');
  const filter: Filter = {
    ...(state && { state }),
    ...(service !== undefined && { service }),
    ...(since && { since }),
  };
  return { filter, words };
}

export function describeState({ state, quarantine_reason }: Row): string {
  return quarantine_reason ? `${state} (${quarantine_reason})` : state;
}

type Search = { words: string; limit: number; before?: Row };

async function search(messages: Messages, filter: Filter, { words, limit, before }: Search): Promise<Row[]> {
  const found: Row[] = [];
  for await (const page of searchMessages({ messages }, filter, words, before)) {
    found.push(...page.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  return found;
}

function describeEmpty({ before, service }: Values): string {
  if (before) return 'There is nothing more.';
  const hint = service === undefined ? '' : ' A service is named exactly as in the form, with its capitals.';
  return `There is nothing to show.${hint}`;
}

/** Counting more rows takes as long as reading them. */
const mostCounted = 10_000;

export async function countUpTo(
  count: (most: number) => Promise<number>,
): Promise<{ total: number; isTotalExact: boolean }> {
  const counted = await count(mostCounted + 1);
  return { total: Math.min(counted, mostCounted), isTotalExact: counted <= mostCounted };
}

export function describeShown(shown: number, total: number | null, isExact: boolean): string {
  const count = (number: number) => number.toLocaleString('en-GB');
  if (total === null) return `${count(shown)} are shown, and there are more.`;
  return `${count(shown)} of ${isExact ? '' : 'more than '}${count(total)} are shown.`;
}
