import { formatRecord } from '../../lib/csv.ts';
import { escapeFormula } from '../../lib/escape-formula.ts';
import type { Wordings } from '../../store/consent-texts.ts';
import type { Subscribers } from '../../store/subscribers.ts';
import type { SubscriberRow, SubscriberState } from '../../store/tables.ts';

type ExportDeps = { subscribers: Pick<Subscribers, 'list'>; wordings: Pick<Wordings, 'getWording'> };

const columns = [
  ...['address', 'state', 'form', 'wording', 'asked_at'],
  ...['confirmed_at', 'left_at', 'suppressed_at', 'suppressed_why'],
];
const pageLength = 500;

/** In pages. The byte order mark makes spreadsheet programs read UTF-8. */
export async function* exportSubscribers(
  { subscribers, wordings }: ExportDeps,
  state: SubscriberState | undefined,
  onWithoutAddress: () => void,
): AsyncGenerator<string> {
  yield `\uFEFF${formatRecord(columns)}`;
  const texts = new Map<string, string>();
  let after: string | undefined;
  for (;;) {
    const page = await subscribers.list({ ...(state && { state }), ...(after && { after }) }, pageLength);
    for (const row of page) {
      if (row.address === null) {
        onWithoutAddress();
        continue;
      }
      const { form, wording: id, asked_at } = agreedTo(row);
      const wording = texts.get(id) ?? (await wordings.getWording(id))?.text ?? '';
      texts.set(id, wording);
      const { address, confirmed_at, left_at, suppressed_at, suppressed_why } = row;
      const consent = [address, row.state, form, wording, asked_at, confirmed_at];
      const cells = [...consent, left_at, suppressed_at, suppressed_why];
      yield formatRecord(cells.map(cell => escapeFormula(cell ?? '')));
    }
    after = page.at(-1)?.id;
    if (page.length < pageLength) return;
  }
}

export function agreedTo(row: SubscriberRow): Pick<SubscriberRow, 'form' | 'wording' | 'asked_at'> {
  if (row.state !== 'pending') return row;
  return { form: row.request_form, wording: row.request_wording, asked_at: row.requested_at };
}
