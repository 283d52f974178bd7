import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import {
  findFormulas,
  findUnquotedText,
  findUnsafeBytes,
} from '../../../../tests/harness/injection-checks.ts';
import { attempt, samplePayload } from '../../../../tests/harness/sample-payload.ts';
import { createTempFolder } from '../../../../tests/harness/temp-folder.ts';
import { createMailReceiver } from './mail-receiver.ts';
import { createSheetReceiver } from './sheet-receiver.ts';

const mailSettings = { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 5 };

/** The copies of a message as they lie on the disk: at most one and a half times its size and 8 KiB. */
async function copiesOf(message: string) {
  const dataDir = createTempFolder();
  const payload = { ...samplePayload, message };
  const receivers = [
    createMailReceiver(mailSettings, { dataDir }),
    createSheetReceiver({ kind: 'file' }, { dataDir, messages: () => ReadableStream.from([]) }),
  ];
  for (const receiver of receivers)
    expect(await receiver.deliver(payload, attempt)).toEqual({ kind: 'delivered' });
  const [name = ''] = readdirSync(join(dataDir, 'mail'));
  const eml = readFileSync(join(dataDir, 'mail', name));
  const csv = readFileSync(join(dataDir, 'messages.csv'));
  const limit = 1.5 * Buffer.byteLength(message) + 8 * 1024;
  expect(eml.length).toBeLessThanOrEqual(limit);
  expect(csv.length).toBeLessThanOrEqual(limit);
  const [row] = parse(csv, { bom: true, columns: true }) as { Message: string }[];
  expect(findUnsafeBytes(eml.toString('latin1'))).toEqual([]);
  const { text = '' } = await PostalMime.parse(eml);
  return { mail: text, csv: csv.toString(), cell: row?.Message };
}

const controls = Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join('');
const nasty = [controls, '\u202e\u2066', ';""=', '\t=', '\r\n', '\u2028', '👩🏽‍💻', '日\n', 'א\u202e'];

test.each(nasty)('a message of nothing but %j has small copies, escaped like any other', async unit => {
  const text = unit.repeat(4096 / Buffer.byteLength(unit));
  const { mail, csv } = await copiesOf(`x${text}=x`);
  expect(findUnquotedText(mail)).toEqual([]);
  expect(findFormulas(csv)).toEqual([]);
});

test('a shortened copy says so, and a run of quotes in a cell is written once', async () => {
  const quotes = await copiesOf(`Before${'"'.repeat(60_000)}after`);
  expect(quotes.cell).toContain('Before"[×60000]after');
  const { mail, cell } = await copiesOf(';""=\x7f'.repeat(6000));
  for (const copy of [mail, cell]) expect(copy).toContain('the whole text is in the database');
});

test('a message that escaping does not enlarge is copied unchanged', async () => {
  const message = `"Hello"\n\n\n\n\n\n${'a'.repeat(1000)}${'\x7f'.repeat(10)} "${'"'.repeat(100)}`;
  const { mail, cell } = await copiesOf(message);
  expect(cell).toBe(message);
  expect(mail).toContain(`${'[U+007F]'.repeat(10)} "${'"'.repeat(100)}\n`);
});
