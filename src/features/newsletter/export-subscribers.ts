import type { SubscriberRow, SubscriberState } from '../../core/database/tables.ts';
import { formatRecord } from '../../lib/csv.ts';
import { escapeFormula } from '../../lib/escape-formula.ts';
import type { ConsentTexts } from './consent-texts.ts';
import type { SubscriberSearch, Subscribers } from './subscribers.ts';

type ExportDeps = { subscribers: Pick<Subscribers, 'list'>; consentTexts: Pick<ConsentTexts, 'get'> };

const columns = [
  ...['address', 'state', 'form', 'consent_text', 'consent_requested_at'],
  ...['confirmed_at', 'unsubscribed_at', 'suppressed_at', 'suppression_reason'],
];
const pageLength = 500;

/** The byte order mark makes spreadsheet programs read UTF-8. */
export async function* exportSubscribers(
  { subscribers, consentTexts }: ExportDeps,
  what: Partial<SubscriberSearch>,
  onWithoutAddress: () => void,
): AsyncGenerator<string> {
  yield `\uFEFF${formatRecord(columns)}`;
  const texts = new Map<string, string>();
  let after: string | undefined;
  for (;;) {
    const page = await subscribers.list({ ...what, ...(after && { after }) }, pageLength);
    for (const row of page) {
      if (row.address === null) {
        onWithoutAddress();
        continue;
      }
      const { form, consent_text: id, consent_requested_at } = readConsent(row);
      const consentText = texts.get(id) ?? (await consentTexts.get(id))?.text ?? '';
      texts.set(id, consentText);
      const { address, confirmed_at, unsubscribed_at, suppressed_at, suppression_reason } = row;
      const consent = [address, row.state, form, consentText, consent_requested_at, confirmed_at];
      const cells = [...consent, unsubscribed_at, suppressed_at, suppression_reason];
      yield formatRecord(cells.map(cell => escapeFormula(cell ?? '')));
    }
    after = page.at(-1)?.id;
    if (page.length < pageLength) return;
  }
}

export function readConsent(
  row: SubscriberRow,
): Pick<SubscriberRow, 'form' | 'consent_text' | 'consent_requested_at'> {
  if (row.state !== 'pending') return row;
  return {
    form: row.request_form,
    consent_text: row.request_consent_text,
    consent_requested_at: row.requested_at,
  };
}

export async function listSubscribers(
  { subscribers }: { subscribers: Pick<Subscribers, 'list' | 'count'> },
  { state, limit }: { state?: SubscriberState | undefined; limit: number },
) {
  const [found, total] = await Promise.all([
    subscribers.list({ ...(state && { state }) }, limit),
    subscribers.count(state),
  ]);
  return { total, subscribers: found };
}
