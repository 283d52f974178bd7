import type { ListColumn } from '../../domain/subscribers/import-row.ts';
import { writeList } from '../../domain/subscribers/list-file.ts';
import type { Wired } from '../../server/wire.ts';
import { oneOf, readLimit } from '../command.ts';
import { writeOutput } from '../output.ts';
import { fail, note, print } from '../say.ts';
import { printTable } from '../table.ts';
import { type Call, refuse } from './call.ts';

type Subscribers = Wired['store']['subscribers'];
type Row = Awaited<ReturnType<Subscribers['list']>>[number];

export async function list({ store: { subscribers } }: Wired, { values }: Call): Promise<void> {
  const state = readState(values);
  const limit = readLimit(values.limit);
  const [found, total] = await Promise.all([
    subscribers.list({ ...(state && { state }) }, limit),
    subscribers.count(state),
  ]);
  if (values.json) return print({ total, subscribers: found });
  printTable(
    ['address', 'state', 'form', 'asked', 'confirmed', 'left', 'suppressed'],
    found.map(row => [
      row.address ?? '(not kept)',
      row.suppressed_why ? `${row.state} (${row.suppressed_why})` : row.state,
      agreedTo(row).form,
      agreedTo(row).asked_at ?? '',
      row.confirmed_at ?? '',
      row.left_at ?? '',
      row.suppressed_at ?? '',
    ]),
  );
  if (total > found.length) note(`${found.length} of ${total} are shown.`);
  if (total === 0) note('There is nothing to show.');
}

/** The whole list, a page at a time. Rows without an address mean nothing outside this database. */
export async function exportList({ store: { subscribers } }: Wired, { values }: Call): Promise<void> {
  if (!values.csv || values.json) refuse('export writes CSV: say --csv.');
  const state = readState(values);
  let left = 0;
  const mistake = await writeOutput('-', writeList(rows()), { force: false });
  if (mistake) return fail(mistake);
  if (left > 0) note(`Not in the file, because only a hash of the address is kept: ${left}.`);

  async function* rows(): AsyncGenerator<Record<ListColumn, string>> {
    const readWording = createWordings(subscribers);
    for await (const row of listAll(subscribers, state)) {
      if (row.address === null) left++;
      else yield { ...textOf(row, row.address), wording: await readWording(agreedTo(row).wording) };
    }
  }
}

async function* listAll(subscribers: Subscribers, state: Row['state'] | undefined): AsyncGenerator<Row> {
  let after: string | undefined;
  for (;;) {
    const page = await subscribers.list({ ...(state && { state }), ...(after && { after }) }, pageLength);
    yield* page;
    after = page.at(-1)?.id;
    if (page.length < pageLength) return;
  }
}

const pageLength = 500;

/** Few are ever used, each by many. */
function createWordings(subscribers: Subscribers): (id: string) => Promise<string> {
  const known = new Map<string, string>();
  return async id => {
    const text = known.get(id) ?? (await subscribers.getWording(id))?.text ?? '';
    known.set(id, text);
    return text;
  };
}

function textOf(row: Row, address: string): Record<ListColumn, string> {
  return {
    ...{ address, state: row.state, form: agreedTo(row).form, wording: '' },
    asked_at: agreedTo(row).asked_at ?? '',
    confirmed_at: row.confirmed_at ?? '',
    left_at: row.left_at ?? '',
    suppressed_at: row.suppressed_at ?? '',
    suppressed_why: row.suppressed_why,
  };
}

/** What somebody agreed to, or will have agreed to by confirming. */
function agreedTo(row: Row): Pick<Row, 'form' | 'wording' | 'asked_at'> {
  if (row.state !== 'pending') return row;
  return { form: row.request_form, wording: row.request_wording, asked_at: row.requested_at };
}

const states = ['pending', 'confirmed', 'unsubscribed', 'suppressed'] as const;

function readState({ state }: Call['values']): Row['state'] | undefined {
  const found = states.find(name => name === state);
  if (state !== undefined && !found) refuse(`There is no state '${state}': choose ${oneOf(states)}.`);
  return found;
}
