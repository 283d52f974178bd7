import { searchMessages } from '../../domain/messages/search-messages.ts';
import { shownRow } from '../../domain/messages/write-messages.ts';
import type { Wired } from '../../server/wire.ts';
import { readLimit, readReference } from '../command.ts';
import { createProgress } from '../progress.ts';
import { fail, note, print } from '../say.ts';
import { printTable } from '../table.ts';
import { type Call, countUpTo, type Filter, readFilter, tellShown } from './call.ts';

type Messages = Wired['store']['messages'];
type Row = Awaited<ReturnType<Messages['list']>>[number];

export async function list({ store: { messages }, clock }: Wired, call: Call): Promise<void> {
  const { values } = call;
  const { filter, words } = readFilter(call, clock.now());
  const limit = readLimit(values.limit);
  const before = values.before && (await messages.get(readReference(values.before)));
  if (values.before && !before) return fail(`There is no message ${readReference(values.before)}.`);

  // One more than is shown tells whether there is another page.
  const page = { limit: limit + 1, ...(before && { before }) };
  const found = words
    ? await search(messages, filter, { ...page, words })
    : await messages.list(filter, page);
  const shown = found.slice(0, limit);
  const next = found.length > limit ? (shown.at(-1)?.reference ?? null) : null;
  const { total, isTotalExact } = await countAll();

  if (values.json) return print({ total, isTotalExact, next, messages: shown.map(shownRow) });
  printTable(
    ['reference', 'received', 'state', 'name', 'e-mail', 'service', 'message'],
    shown.map(row => [
      row.reference,
      row.received_at,
      describeState(row),
      row.name,
      row.email,
      row.service,
      row.message,
    ]),
    // Whom to answer, and about what, is in `show`; which one to show is seen in the message.
    { main: 'message', spare: ['e-mail', 'service'] },
  );
  if (next) note(`${tellShown(shown.length, total, isTotalExact)} The next page: ${repeat(call, next)}`);
  else if (shown.length === 0) note(tellNothing(call));

  /** Of a search only its end tells how many there are. */
  async function countAll(): Promise<{ total: number | null; isTotalExact: boolean }> {
    if (words)
      return next || before
        ? { total: null, isTotalExact: false }
        : { total: shown.length, isTotalExact: true };
    return countUpTo(most => messages.count(filter, most));
  }
}

export function describeState({ state, quarantine_reason }: Row): string {
  return quarantine_reason ? `${state} (${quarantine_reason})` : state;
}

type Search = { words: string; limit: number; before?: Row };

async function search(messages: Messages, filter: Filter, { words, limit, before }: Search): Promise<Row[]> {
  const progress = createProgress('messages looked at', undefined);
  const found: Row[] = [];
  for await (const page of searchMessages({ messages, onRead: progress.draw }, filter, words, before)) {
    found.push(...page.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  progress.clear();
  return found;
}

function tellNothing({ values: { before, service } }: Call): string {
  if (before) return 'There is nothing more.';
  const hint = service === undefined ? '' : ' A service is named exactly as in the form, with its capitals.';
  return `There is nothing to show.${hint}`;
}

/** The same again from there on, as it is typed. */
function repeat({ values }: Call, before: string): string {
  const said = (['since', 'service', 'state', 'search', 'limit'] as const).flatMap(name => {
    const value = values[name];
    return value === undefined || (name === 'limit' && value === '100') ? [] : [`--${name}=${quote(value)}`];
  });
  return ['npm run inbox -- list', ...said, '--before', before].join(' ');
}

function quote(word: string): string {
  return /^[\w.,:@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
