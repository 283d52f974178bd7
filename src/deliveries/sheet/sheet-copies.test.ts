import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Attempt, MessagePayload } from '../delivery.ts';
import { createSheetCopies } from './sheet-copies.ts';
import { createSheetReceiver } from './sheet-receiver.ts';

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-copies-'));
  path = join(dataDir, 'messages.csv');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const attempt: Attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
const payload: MessagePayload = {
  kind: 'message',
  reference: 'AAAAA-11111',
  receivedAt: '2026-01-02T03:04:05.678Z',
  name: 'Zoë',
  email: 'zoe@example.com',
  message: 'one\r\ntwo',
  service: '',
};
const messages = () => ReadableStream.from([]);
const copies = () => createSheetCopies(dataDir);
const backupPath = () => join(dataDir, 'messages-2026-01-03T10-00-00.000Z.csv');
const references = () =>
  (parse(readFileSync(path), { bom: true, columns: true }) as { Reference: string }[]).map(
    row => row.Reference,
  );

function erasureOf(address: string) {
  return {
    references: new Set<string>(),
    isTheirs: (email: string) => email === address,
    mentions: (text: string) => text.includes(address),
    redact: (text: string) => text.replaceAll(address, '[erased]'),
    upTo: '2026-06-01T00:00:00.000Z',
  };
}

test('an erasure removes rows and mentions from the sheet and its backup copies, and keeps the others', async () => {
  const sheet = createSheetReceiver({ kind: 'file' }, { dataDir, messages });
  await sheet.deliver(payload, attempt);
  await sheet.deliver(
    { ...payload, reference: 'B', email: 'b@example.com', message: '=ask zoe@example.com' },
    attempt,
  );
  await sheet.deliver({ ...payload, reference: 'C', receivedAt: '2026-07-01T00:00:00.000Z' }, attempt);
  writeFileSync(
    backupPath(),
    'Done;Email;Reference\nyes;zoe@example.com;AAAAA-11111\n"no; not";b@example.com;B\n',
    {
      mode: 0o640,
    },
  );
  const erasure = erasureOf('zoe@example.com');
  expect((await copies().find(erasure)).map(({ kind, isTheirs }) => [kind, isTheirs])).toEqual([
    ['row', true],
    ['row', true],
    ['row', false],
    ['row', true],
  ]);
  expect(await copies().erase(erasure)).toEqual({ rows: 2, redacted: 1, remains: 0 });
  expect(references()).toEqual(['B', 'C']);
  expect(readFileSync(path, 'utf8')).toContain(`"'=ask [erased]"`);
  expect(readFileSync(backupPath(), 'utf8')).toBe(
    '\ufeff"Done","Email","Reference"\r\n"no; not","b@example.com","B"\r\n',
  );
  expect(statSync(backupPath()).mode & 0o777).toBe(0o640);
  expect(readdirSync(dataDir).sort()).toEqual([backupPath().slice(dataDir.length + 1), 'messages.csv']);
  // The sheet is still one to which rows are added.
  await sheet.deliver({ ...payload, reference: 'D' }, attempt);
  expect(references()).toEqual(['B', 'C', 'D']);
});

test('a temporary file of a killed process is deleted if it contains the person', async () => {
  const files = [`${path}.torn`, `${path}.draft`];
  for (const file of files) writeFileSync(file, 'Notes on "zoe@example.com');
  writeFileSync(`${path}.rewrite`, 'others');
  const erasure = erasureOf('zoe@example.com');
  expect((await copies().find(erasure)).map(({ place }) => place).sort()).toEqual(files.sort());
  expect(await copies().erase(erasure)).toEqual({ rows: 0, redacted: 0, remains: 2 });
  expect(readdirSync(dataDir)).toEqual(['messages.csv.rewrite']);
});

test.each([
  ['a torn row', 'Email,Reference\nb@example.com,B\n"zoe@example.com'],
  ['a quote within a cell', 'Email,Message,Reference\nzoe@example.com,,A\nb@example.com,a 6" pipe,B\n'],
  ['an open quote', 'Email,Message,Reference\nzoe@example.com,,A\nc@example.com,"open,C\nb@example.com,,B\n'],
  ['a reference alone', 'Message,Reference\n"open,AAAAA-11111\n'],
  ['no column of references', 'Email,Done\nzoe@example.com,no\nb@example.com,yes\n'],
])('a sheet with %s is never changed or removed, and is told to its owner', async (_, text) => {
  writeFileSync(backupPath(), text);
  const erasure = { ...erasureOf('zoe@example.com'), references: new Set(['AAAAA-11111']) };
  expect(await copies().erase(erasure)).toEqual({ rows: 0, redacted: 0, remains: 0 });
  expect(await copies().expire({ references: erasure.references, before: '2027' })).toBe(0);
  expect(readFileSync(backupPath(), 'utf8')).toBe(text);
  expect(await copies().find(erasure)).toMatchObject([{ kind: 'file', place: backupPath() }]);
  expect(await copies().find(erasureOf('nobody@example.com'))).toEqual([]);
});

test.each([';', '\t'])('a sheet saved with all cells quoted and %j loses the one row', async mark => {
  const rows = [
    ['Email', 'Reference'],
    ['zoe@example.com', 'A'],
    ['b@example.com', 'B'],
  ];
  writeFileSync(path, rows.map(cells => `${cells.map(cell => `"${cell}"`).join(mark)}\r\n`).join(''));
  expect(await copies().erase(erasureOf('zoe@example.com'))).toMatchObject({ rows: 1 });
  expect(references()).toEqual(['B']);
});

test('a sheet saved on Windows keeps its characters, and accepts others', async () => {
  const text =
    'Email,Name,Reference\nzoe@example.com,Z,A\nb@example.com,M\xfcller \x80,B\nc@example.com,C,C\n';
  writeFileSync(path, Buffer.from(text, 'latin1'));
  await copies().erase(erasureOf('zoe@example.com'));
  await copies().rectify(new Set(['C']), { name: 'Łukasz' });
  expect(parse(readFileSync(path), { bom: true, columns: true })).toMatchObject([
    { Name: 'Müller €' },
    { Name: 'Łukasz' },
  ]);
});

test('a row that a crash truncated is removed first, and a row that the owner edited is not', async () => {
  const sheet = createSheetReceiver({ kind: 'file' }, { dataDir, messages });
  await sheet.deliver({ ...payload, reference: 'B', email: 'b@example.com' }, attempt);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, `${whole}"2026-01-02T03:04:05.678Z","Zoë","zoe@example.com","","a ""b""\r\n"",""`);
  expect(await copies().find(erasureOf('zoe@example.com'))).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe(whole);
  const broken = whole.replace('"b@', 'b@') + whole.slice(whole.indexOf('\n') + 1);
  writeFileSync(path, broken);
  expect(await copies().find(erasureOf('b@example.com'))).toMatchObject([{ kind: 'file' }]);
  expect(readFileSync(path, 'utf8')).toBe(broken);
});

test('a correction changes cells by column, and is never a formula', async () => {
  writeFileSync(path, 'Email,Name,Reference\r\nz@example.com,Z,R1\r\nz@example.com,Z,R2\r\n');
  expect(await copies().rectify(new Set(['R1']), { name: '=Zoë' })).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe(
    '\ufeff"Email","Name","Reference"\r\n"z@example.com","\'=Zoë","R1"\r\n"z@example.com","Z","R2"\r\n',
  );
});

test('expired rows are removed with their message, and once a day by their own time', async () => {
  const row = (at: string, reference: string) => `${at},${reference}\r\n`;
  const text = `Received,Reference\r\n${row('2025-01-01T00:00:00Z', 'R1')}${row('2026-01-01T00:00:00Z', 'R2')}${row('last week', 'R3')}`;
  writeFileSync(path, text);
  writeFileSync(backupPath(), text);
  const [sheet, none] = [copies(), new Set<string>()];
  expect(await sheet.expire({ references: none, before: undefined })).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(await sheet.expire({ references: none, before: '2025-06-01T00:00:00Z' })).toBe(2);
  writeFileSync(backupPath(), text);
  expect(await sheet.expire({ references: none, before: '2025-06-01T01:00:00Z' })).toBe(0);
  expect(await sheet.expire({ references: none, before: '2025-06-02T00:00:00Z' })).toBe(1);
  expect(await sheet.expire({ references: new Set(['R3']), before: undefined })).toBe(2);
  expect(references()).toEqual(['R2']);
});

test('rows that a server adds meanwhile are neither lost nor duplicated', async () => {
  const sheet = createSheetReceiver({ kind: 'file' }, { dataDir, messages });
  for (let at = 0; at < 50; at++)
    await sheet.deliver({ ...payload, reference: `GONE-${at}`, email: 'x@example.com' }, attempt);
  const count = 30;
  const others = ['P', 'Q'].map(name => runWriter(name, count));
  const own = write('R', count);
  let isOver = false;
  const all = Promise.all([own, ...others]).finally(() => {
    isOver = true;
  });
  let rewritten = 0;
  while (!isOver) {
    await sheet.deliver({ ...payload, reference: `MORE-${rewritten}`, email: 'x@example.com' }, attempt);
    const { rows } = await copies().erase(erasureOf('x@example.com'));
    rewritten += rows;
  }
  await all;
  const wanted = ['P', 'Q', 'R'].flatMap(name => Array.from({ length: count }, (_, at) => `${name}-${at}`));
  expect(rewritten).toBeGreaterThan(50);
  expect(
    references()
      .filter(one => !/^(GONE|MORE)/.test(one))
      .sort(),
  ).toEqual(wanted.sort());

  /** As the outbox does: an ambiguous row is looked up before it is written again. */
  async function write(name: string, rows: number): Promise<void> {
    for (let at = 0; at < rows; at++) {
      const one = { ...payload, reference: `${name}-${at}` };
      for (let outcome = await sheet.deliver(one, attempt); outcome.kind !== 'delivered'; ) {
        await new Promise(done => setTimeout(done, 1000));
        outcome = (await sheet.find?.(one, attempt.signal))
          ? { kind: 'delivered' }
          : await sheet.deliver(one, attempt);
      }
    }
  }

  function runWriter(name: string, rows: number): Promise<void> {
    const script = `
      import { createSheetReceiver } from ${JSON.stringify(join(import.meta.dirname, 'sheet-receiver.ts'))};
      const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
      const deps = { dataDir: ${JSON.stringify(dataDir)}, messages: async function* () {} };
      const [sheet, payload] = [createSheetReceiver({ kind: 'file' }, deps), ${JSON.stringify(payload)}];
      ${write.toString()}
      await write(${JSON.stringify(name)}, ${rows});`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return new Promise((done, failed) => {
      child.once('exit', code => (code === 0 ? done() : failed(new Error(`a writer ended with ${code}`))));
    });
  }
});
