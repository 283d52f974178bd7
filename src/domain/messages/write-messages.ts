import { formatRecord } from '../../lib/csv.ts';
import { formulaSafe, safeWithin } from '../../lib/formula-safe.ts';
import type { MessageRow } from '../../store/tables.ts';

/** A file of messages, a part at a time. CSV is for spreadsheet programs, JSON is to the letter. */
export async function* writeMessages(
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

/** UTF-8 with a byte order mark, as spreadsheet programs know it without being asked. */
async function* writeCsv(pages: AsyncIterable<MessageRow[]>): AsyncGenerator<string> {
  const fields = Object.values(csvColumns);
  yield `\uFEFF${formatRecord(Object.keys(csvColumns))}`;
  for await (const page of pages) {
    yield page.map(row => formatRecord(fields.map(field => safeWithin(formulaSafe(row[field]))))).join('');
  }
}

/** A list, with one message to a line: programs that read lines can make do with it as well. */
async function* writeJson(pages: AsyncIterable<MessageRow[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + page.map(row => JSON.stringify(shownRow(row))).join(',\n');
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

/** The key was made by a browser, for a single conversation, and means nothing to a reader. */
export function shownRow({ idempotency_key: _, ...shown }: MessageRow): Omit<MessageRow, 'idempotency_key'> {
  return shown;
}
