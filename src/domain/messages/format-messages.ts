import { formatRecord } from '../../lib/csv.ts';
import { escapeFormula, escapeInnerFormulas } from '../../lib/escape-formula.ts';
import type { MessageRow } from '../../store/tables.ts';

export async function* formatMessages(
  pages: AsyncIterable<MessageRow[]>,
  format: 'csv' | 'json',
): AsyncGenerator<string> {
  yield* format === 'csv' ? writeCsv(pages) : writeJson(pages);
}

const csvColumns = {
  Reference: 'reference',
  Received: 'received_at',
  State: 'state',
  Quarantined: 'quarantine_reason',
  Name: 'name',
  Email: 'email',
  Service: 'service',
  Message: 'message',
} as const satisfies Record<string, keyof MessageRow>;

/** The byte order mark makes spreadsheet programs read UTF-8. */
async function* writeCsv(pages: AsyncIterable<MessageRow[]>): AsyncGenerator<string> {
  const fields = Object.values(csvColumns);
  yield `\uFEFF${formatRecord(Object.keys(csvColumns))}`;
  for await (const page of pages) {
    yield page
      .map(row => formatRecord(fields.map(field => escapeInnerFormulas(escapeFormula(row[field])))))
      .join('');
  }
}

async function* writeJson(pages: AsyncIterable<MessageRow[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map(row => JSON.stringify(omitIdempotencyKey(row))).join(',\n');
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

export function omitIdempotencyKey({
  idempotency_key: _,
  ...shown
}: MessageRow): Omit<MessageRow, 'idempotency_key'> {
  return shown;
}
