import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { findFormulas, findUnquotedText, parseMail } from '../../tests/harness/injection-checks.ts';
import { attempt, samplePayload } from '../../tests/harness/sample-payload.ts';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import type { MessagePayload } from './delivery.ts';
import { createMailReceiver } from './mail/mail-receiver.ts';
import { createSheetReceiver } from './sheet/sheet-receiver.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = createTempFolder();
});

type Fields = Pick<MessagePayload, 'name' | 'email' | 'message' | 'service'>;
const none: Fields = { name: '', email: '', message: '', service: '' };
const mailSettings = { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 5 };

/** The copies of a message as they lie on the disk: at most one and a half times its size and 8 KiB. */
async function copiesOf(fields: Partial<Fields>) {
  rmSync(dataDir, { recursive: true });
  const payload = { ...samplePayload, ...none, ...fields };
  const receivers = [
    createMailReceiver(mailSettings, { dataDir }),
    createSheetReceiver({ kind: 'file' }, { dataDir, messages: () => ReadableStream.from([]) }),
  ];
  for (const receiver of receivers)
    expect(await receiver.deliver(payload, attempt)).toEqual({ kind: 'delivered' });
  const [name = ''] = readdirSync(join(dataDir, 'mail'));
  const eml = readFileSync(join(dataDir, 'mail', name));
  const csv = readFileSync(join(dataDir, 'messages.csv'));
  const limit = 1.5 * Buffer.byteLength(Object.values(fields).join('')) + 8 * 1024;
  expect(eml.length).toBeLessThanOrEqual(limit);
  expect(csv.length).toBeLessThanOrEqual(limit);
  const [row] = parse(csv, { bom: true, columns: true }) as { Message: string }[];
  return { mail: await parseMail(eml.toString('latin1')), csv: csv.toString(), cell: row?.Message };
}

const controls = Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join('');
const nasty = [
  ...['\x1b[2J', controls, '\x7fa', '\u202e\u2066', ';""=', '\t='],
  ...['\r\n', '\u2028', '👩🏽‍💻', '日\n', 'א\u202e'],
];

test.each(nasty)('a message of nothing but %j has small copies, escaped like any other', async unit => {
  const text = unit.repeat(4096 / Buffer.byteLength(unit));
  const { mail, csv } = await copiesOf({ message: `x${text}=x` });
  expect(mail.wire).toEqual([]);
  expect(findUnquotedText(mail.text)).toEqual([]);
  expect(findFormulas(csv)).toEqual([]);
});

test('any mix of them in any field does as well', async () => {
  const run = fc.tuple(fc.constantFrom(...nasty, 'Good morning, '), fc.integer({ min: 1, max: 5000 }));
  const field = fc
    .array(run, { maxLength: 4 })
    .map(runs => runs.map(([unit, times]) => unit.repeat(times)).join(''));
  const email = field.map(text => text.slice(0, 254));
  await fc.assert(
    fc.asyncProperty(fc.record({ name: field, email, message: field, service: field }), async fields => {
      await copiesOf(fields);
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

test.each([
  ['controls', '\x7f', 'Before[U+007F][×60000]after'],
  ['different controls', '\x01\x02\x03', 'Before[U+0001][U+0002][U+0003][and 59997 more controls]after'],
  ['empty lines', '\r\n', '| Before\n| [×30000]after'],
])('a run of %s is written once, with its length, before the rest of the text', async (_, unit, expected) => {
  const { mail } = await copiesOf({ message: `Before${unit.repeat(60_000 / unit.length)}after` });
  expect(mail.text).toContain(expected);
});

test('a shortened copy says so, and a run of quotes in a cell is written once', async () => {
  const quotes = await copiesOf({ message: `Before${'"'.repeat(60_000)}after` });
  expect(quotes.cell).toContain('Before"[×60000]after');
  const { mail, cell } = await copiesOf({ message: ';""=\x7f'.repeat(6000) });
  for (const copy of [mail.text, cell]) expect(copy).toContain('the whole text is in the database');
});

test('a message that escaping does not enlarge is copied unchanged', async () => {
  const message = `"Hello"\n\n\n\n\n\n${'a'.repeat(1000)}${'\x7f'.repeat(10)} "${'"'.repeat(100)}`;
  const { mail, cell } = await copiesOf({ message });
  expect(cell).toBe(message);
  expect(mail.text).toContain('[U+007F]'.repeat(10));
  expect(mail.text).toContain(`"${'"'.repeat(100)}\n`);
});
