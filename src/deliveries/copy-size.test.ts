import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMail } from '../../tests/fakes/received-mail.ts';
import { findFormulas, findUnquotedText, parseMail } from '../../tests/harness/injection-checks.ts';
import type { MessagePayload, Receiver } from './delivery.ts';
import { createMailReceiver } from './mail/mail-receiver.ts';
import { createSheetReceiver } from './sheet/sheet-receiver.ts';

let dataDir: string;
let mail: Receiver;
let sheet: Receiver;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-copies-'));
  const settings = { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 5 };
  mail = createMailReceiver(settings, { dataDir });
  sheet = createSheetReceiver({ kind: 'file' }, { dataDir, messages: () => ReadableStream.from([]) });
});
afterEach(() => rmSync(dataDir, { recursive: true }));

type Fields = Pick<MessagePayload, 'name' | 'email' | 'message' | 'service'>;
const none: Fields = { name: '', email: '', message: '', service: '' };
const maxSize = 64 * 1024;

/** The copies of a message as they lie on the disk. */
async function copiesOf(fields: Partial<Fields>, isPossibleDuplicate = true) {
  rmSync(dataDir, { recursive: true });
  const payload: MessagePayload = {
    ...{ kind: 'message', reference: 'ABCDE-FGHJK', receivedAt: '2026-01-02T03:04:05.678Z' },
    ...{ ...none, ...fields },
  };
  for (const receiver of [mail, sheet]) {
    const attempt = { isPossibleDuplicate, signal: new AbortController().signal };
    expect(await receiver.deliver(payload, attempt)).toEqual({ kind: 'delivered' });
  }
  const [name = ''] = readdirSync(join(dataDir, 'mail'));
  const eml = join(dataDir, 'mail', name);
  const csv = join(dataDir, 'messages.csv');
  const sent = Buffer.byteLength(Object.values({ ...none, ...fields }).join(''));
  const raw = readFileSync(eml);
  return {
    sizes: { mail: statSync(eml).size, row: statSync(csv).size },
    limit: 1.5 * sent + 8 * 1024,
    raw: raw.toString('latin1'),
    text: readMail({ from: '', to: [], raw }).text,
    csv: readFileSync(csv, 'utf8'),
    row: parse(readFileSync(csv), { bom: true, columns: true })[0] as Record<string, string>,
  };
}

async function expectSmall(fields: Partial<Fields>) {
  const { sizes, limit } = await copiesOf(fields);
  expect(sizes.mail).toBeLessThanOrEqual(limit);
  expect(sizes.row).toBeLessThanOrEqual(limit);
}

/** As many of them as a message may hold. */
const filled = (unit: string, bytes = maxSize) =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)) - 1);
const controls = Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join('');
const nasty = [
  ...['\x7f', '\x1b[2J', controls, '\x7fa', '\u202e\u2066', '"', ';""=', '\t='],
  ...['\r\n', 'a\n\n', '\u2028', '👩🏽‍💻', '日\n', 'é=', '. ', 'א\u202e'],
];

test('a message of nothing but one sequence makes copies of at most one and a half times its size', async () => {
  for (const unit of nasty) await expectSmall({ message: `x${filled(unit)}x` });
});

test('any mix of them in any field does as well', async () => {
  const run = fc.tuple(fc.constantFrom(...nasty, 'Good morning, '), fc.integer({ min: 1, max: 20_000 }));
  const field = fc.array(run, { maxLength: 6 }).map(runs => {
    const text = runs.map(([unit, times]) => unit.repeat(times)).join('');
    return Buffer.from(text)
      .subarray(0, maxSize / 4)
      .toString('utf8');
  });
  const email = field.map(text => text.slice(0, 254));
  await fc.assert(
    fc.asyncProperty(fc.record({ name: field, email, message: field, service: field }), expectSmall),
    { numRuns: 8, endOnFailure: true },
  );
});

test('shortened copies are escaped like others', async () => {
  for (const unit of nasty) {
    const { raw, text, csv } = await copiesOf({ message: `x${filled(unit, 4 * 1024)}=x` }, false);
    expect((await parseMail(raw)).wire, JSON.stringify(unit)).toEqual([]);
    expect(findUnquotedText(text), JSON.stringify(unit)).toEqual([]);
    expect(findFormulas(csv), JSON.stringify(unit)).toEqual([]);
  }
});

test.each([
  ['controls', '\x7f', 'mail', 'Before[U+007F][×60000]after'],
  [
    'different controls',
    '\x01\x02\x03',
    'mail',
    'Before[U+0001][U+0002][U+0003][and 59997 more controls]after',
  ],
  ['empty lines', '\r\n', 'mail', '| Before\n| [×30000]after'],
  ['quotes', '"', 'row', 'Before"[×60000]after'],
])(
  'a run of %s is written once, with its length, before the rest of the text',
  async (_, unit, kind, expected) => {
    const { text, row } = await copiesOf({ message: `Before${unit.repeat(60_000 / unit.length)}after` });
    expect(kind === 'mail' ? text : row.Message).toContain(expected);
  },
);

test('a message that escaping does not enlarge is copied unchanged', async () => {
  const message = `"Hello"\n\n\n\n\n\n\n\n\n\n${'a'.repeat(1000)}\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f "${'"'.repeat(100)}`;
  const { text, row } = await copiesOf({ message });
  expect(row.Message).toBe(message);
  expect(text).toContain('[U+007F]'.repeat(10));
  expect(text).toContain(`"${'"'.repeat(100)}\n`);
});

test('a shortened copy says so', async () => {
  const { text, row } = await copiesOf({ message: filled(';""=\x7f') });
  for (const copy of [text, row.Message]) expect(copy).toContain('the whole text is in the database');
});

test('text that is mostly not ASCII is sent as base64, other text unchanged', async () => {
  const encodingOf = async (message: string) =>
    /^Content-Transfer-Encoding: (.*)\r$/m.exec((await copiesOf({ message }, false)).raw)?.[1];
  expect(await encodingOf('日本語の本文'.repeat(100))).toBe('base64');
  expect(await encodingOf('Zoë wrote this. '.repeat(100))).toBe('quoted-printable');
});
