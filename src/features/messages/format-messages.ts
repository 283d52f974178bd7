import type { MessageRow } from '../../core/database/tables.ts';
import { formatRecord } from '../../lib/csv.ts';
import { escapeFormula, escapeInnerFormulas } from '../../lib/escape-formula.ts';
import { type MessageFieldName, messageFields } from './message-fields.ts';
import type { MessageWithNotes } from './read-inbox.ts';

export async function* formatMessages(
  pages: AsyncIterable<MessageWithNotes[]>,
  format: 'csv' | 'json',
): AsyncGenerator<string> {
  yield* format === 'csv' ? writeCsv(pages) : writeJson(pages);
}

const labelledFields = Object.fromEntries(messageFields.map(({ name, label }) => [label, name])) as Record<
  string,
  MessageFieldName
>;

const csvColumns = {
  Reference: 'reference',
  Received: 'received_at',
  State: 'state',
  Quarantined: 'quarantine_reason',
  ...labelledFields,
  Answered: 'answered_at',
  Closed: 'closed_at',
} as const satisfies Record<string, keyof MessageRow>;

/** The byte order mark makes spreadsheet programs read UTF-8. */
async function* writeCsv(pages: AsyncIterable<MessageWithNotes[]>): AsyncGenerator<string> {
  const fields = Object.values(csvColumns);
  yield `\uFEFF${formatRecord([...Object.keys(csvColumns), 'Notes'])}`;
  for await (const page of pages) {
    yield page
      .map(row => [...fields.map(field => row[field] ?? ''), formatNotes(row)])
      .map(cells => formatRecord(cells.map(cell => escapeInnerFormulas(escapeFormula(cell)))))
      .join('');
  }
}

function formatNotes({ notes }: MessageWithNotes): string {
  return notes.map(({ created_at, text }) => `${created_at.slice(0, 10)}: ${text}`).join('\n');
}

async function* writeJson(pages: AsyncIterable<MessageWithNotes[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map(row => JSON.stringify(omitIdempotencyKey(row))).join(',\n');
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

export function omitIdempotencyKey<Row extends MessageRow>({
  idempotency_key: _,
  ...shown
}: Row): Omit<Row, 'idempotency_key'> {
  return shown;
}
