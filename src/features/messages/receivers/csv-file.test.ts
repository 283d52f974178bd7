import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, test } from 'vitest';
import { attempt, samplePayload } from '../../../../tests/harness/sample-payload.ts';
import { createTempFolder } from '../../../../tests/harness/temp-folder.ts';
import { withReason } from '../../../../tests/harness/with-reason.ts';
import type { MessagePayload, OwnerReceiver } from '../payloads.ts';
import { header } from './messages-file.ts';
import { createSheetCopies } from './sheet-copies.ts';
import { createSheetReceiver } from './sheet-receiver.ts';

let dataDir: string;
let path: string;
let sheet: OwnerReceiver;
/** The messages that the database knows to be delivered. */
let stored: MessagePayload[];

const payload: MessagePayload = {
  ...samplePayload,
  name: 'Zoë, "Z"',
  message: 'one\r\n\ttwo 👍🏽 \u202e;',
  service: '=cmd()',
};

beforeEach(() => {
  dataDir = createTempFolder();
  path = join(dataDir, 'messages.csv');
  stored = [];
  sheet = createFile();
});

function createFile(): OwnerReceiver {
  const messages = async function* () {
    yield stored;
  };
  return createSheetReceiver({ kind: 'file' }, { dataDir, messages });
}

const deliver = (reference: string, to = sheet) => to.deliver({ ...payload, reference }, attempt);
const find = (reference: string) => sheet.find?.({ ...payload, reference }, attempt.signal);
const backups = () => readdirSync(dataDir).filter(name => /^messages-.*Z\.csv$/.test(name));
const readRows = (): Record<string, string>[] =>
  parse(readFileSync(path), { bom: true, columns: true, record_delimiter: '\r\n' });
const references = () => readRows().map(row => row.Reference);

test('a row contains what the visitor wrote, in a private file that any spreadsheet program opens', async () => {
  expect(await deliver('A-1')).toEqual({ kind: 'delivered' });
  const text = readFileSync(path, 'utf8');
  expect(text.startsWith('\ufeff"Received","Name","Email","Service","Message","Reference"\r\n')).toBe(true);
  expect(text.endsWith('"A-1"\r\n')).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['messages.csv']);
  const { receivedAt: Received, name: Name, email: Email, message: Message } = payload;
  expect(readRows()).toEqual([{ Received, Name, Email, Service: "'=cmd()", Message, Reference: 'A-1' }]);
});

test('a row is found by its reference and only there, and is not written again by another process, nor after an abort', async () => {
  const aborted = { ...attempt, signal: AbortSignal.abort() };
  expect(await sheet.deliver(payload, aborted)).toMatchObject({ kind: 'retry', isAmbiguous: false });
  expect(await find('A-1')).toBe(false);
  await deliver('A-1');
  await sheet.deliver({ ...payload, reference: 'B-2', name: 'C-3', message: 'D-4' }, attempt);
  const found = await Promise.all(['A-1', 'B-2', 'C-3', 'D-4', 'A'].map(find));
  expect(found).toEqual([true, true, false, false, false]);
  expect(await deliver('A-1', createFile())).toEqual({ kind: 'delivered' });
  expect(references()).toEqual(['A-1', 'B-2']);
});

test('the file may be removed or emptied by its owner', async () => {
  await deliver('A-1');
  rmSync(path);
  await deliver('B-2');
  expect(references()).toEqual(['B-2']);
  writeFileSync(path, '');
  await deliver('C-3');
  expect(references()).toEqual(['C-3']);
  expect(backups()).toEqual([]);
});

test.each(['"Name","Reference","Done"\r\n"Ann","A-1","yes"\r\n', 'PK\x03\x04'])(
  'a file that its owner saved as %j is renamed, and written anew from the database',
  async text => {
    await deliver('A-1');
    stored = [{ ...payload, reference: 'A-1', name: 'From the database' }];
    writeFileSync(path, text);
    expect(await deliver('B-2')).toEqual({ kind: 'delivered' });
    expect(readRows()).toMatchObject([{ Reference: 'A-1', Name: 'From the database' }, { Reference: 'B-2' }]);
    expect(backups().map(name => readFileSync(join(dataDir, name), 'utf8'))).toEqual([text]);
    expect(readdirSync(dataDir)).toHaveLength(2);
    writeFileSync(path, text);
    expect([await find('A-1'), await find('C-3')]).toEqual([true, false]);
  },
);

test('a file that a crash truncated has every row once after the next write', async () => {
  await deliver('A-1');
  stored = [{ ...payload, reference: 'A-1' }];
  const second = { ...payload, message: 'say ""\r\n"', reference: 'B-2' };
  await sheet.deliver(second, attempt);
  const whole = readFileSync(path);
  const rowLength = whole.length - whole.indexOf('"A-1"\r\n') - 7;
  // Both ends byte by byte, and every thirtieth between them.
  const cuts = Array.from({ length: rowLength }, (_, index) => index + 1).filter(
    cut => cut < 8 || cut > rowLength - 8 || cut % 30 === 0,
  );
  for (const cut of cuts) {
    writeFileSync(path, whole.subarray(0, -cut));
    await sheet.deliver(second, attempt);
    expect(references(), `cut by ${cut}`).toEqual(['A-1', 'B-2']);
  }
  // Without its newline, or truncated just before the row, there is nothing to move to a backup copy.
  expect(backups().length).toBeGreaterThan(cuts.length - 5);
  await copies().erase(erasureOf(payload.email));
  const left = readdirSync(dataDir).map(name => readFileSync(join(dataDir, name), 'utf8'));
  expect(new Set(left)).toEqual(new Set([header]));
});

test.skipIf(process.platform === 'win32')(
  'a disk that writes only a part of the row leaves none of it',
  async () => {
    await deliver('A-1');
    const before = readFileSync(path, 'utf8');
    const script = `
      import { createSheetReceiver } from ${JSON.stringify(join(import.meta.dirname, 'sheet-receiver.ts'))};
      const deps = { dataDir: ${JSON.stringify(dataDir)}, messages: async function* () {} };
      const row = { ...${JSON.stringify(samplePayload)}, reference: 'B-2', message: 'x'.repeat(5000) };
      const outcome = await createSheetReceiver({ kind: 'file' }, deps).deliver(row, { signal: {} });
      console.log(JSON.stringify(outcome));`;
    // The shell counts in blocks of 512 bytes: the file may grow to 1024.
    const shell = 'ulimit -f 2; exec "$0" --input-type=module --eval "$1"';
    const { stdout } = await promisify(execFile)('sh', ['-c', shell, process.execPath, script]);
    const reason = 'messages.csv cannot be written: the disk is full';
    expect(withReason(JSON.parse(stdout))).toEqual({ kind: 'retry', reason, isAmbiguous: false });
    expect(readFileSync(path, 'utf8')).toBe(before);
  },
);

const backup = 'messages-2026-01-03T10-00-00.000Z.csv';
const backupPath = () => join(dataDir, backup);
const copies = () => createSheetCopies(dataDir);

function erasureOf(address: string) {
  return {
    references: new Set<string>(),
    belongsToPerson: (email: string) => email === address,
    mentions: (text: string) => text.includes(address),
    redact: (text: string) => text.replaceAll(address, '[erased]'),
    upTo: '2026-06-01T00:00:00.000Z',
  };
}

test('an erasure removes rows and mentions from the sheet and its backup copies, and keeps the others', async () => {
  await sheet.deliver(samplePayload, attempt);
  const mention = { email: 'b@example.com', message: '=ask zoe@example.com' };
  await sheet.deliver({ ...samplePayload, ...mention, reference: 'B' }, attempt);
  await sheet.deliver({ ...samplePayload, reference: 'C', receivedAt: '2026-07-01T00:00:00.000Z' }, attempt);
  const saved = 'Done;Email;Reference\nyes;zoe@example.com;A\n"no; not";b@example.com;B\n';
  writeFileSync(backupPath(), saved, { mode: 0o640 });
  // Temporary files of a killed process.
  writeFileSync(`${path}.torn`, 'Notes on "zoe@example.com');
  writeFileSync(`${path}.rewrite`, 'others');
  const erasure = erasureOf('zoe@example.com');
  const found = await copies().find(erasure);
  expect(found.map(({ belongsToPerson }) => belongsToPerson)).toEqual([true, true, false, true, false]);
  expect(await copies().erase(erasure)).toEqual({ rows: 2, redacted: 1, temporaryFiles: 1 });
  expect(references()).toEqual(['B', 'C']);
  expect(readFileSync(path, 'utf8')).toContain(`"'=ask [erased]"`);
  expect(readFileSync(backupPath(), 'utf8')).toBe(
    '\ufeff"Done","Email","Reference"\r\n"no; not","b@example.com","B"\r\n',
  );
  expect(statSync(backupPath()).mode & 0o777).toBe(0o640);
  expect(readdirSync(dataDir).sort()).toEqual([backup, 'messages.csv', 'messages.csv.rewrite']);
  // The sheet is still one to which rows are added.
  await sheet.deliver({ ...samplePayload, reference: 'D' }, attempt);
  expect(references()).toEqual(['B', 'C', 'D']);
});

test.each([
  ['an open quote', 'Email,Message,Reference\nzoe@example.com,,A\nc@example.com,"open,C\nb@example.com,,B\n'],
  ['a reference alone', 'Message,Reference\n"open,AAAAA-11111\n'],
  ['no column of references', 'Email,Done\nzoe@example.com,no\nb@example.com,yes\n'],
])('a sheet with %s is never changed or removed, and is shown to its owner', async (_, text) => {
  writeFileSync(backupPath(), text);
  const erasure = { ...erasureOf('zoe@example.com'), references: new Set(['AAAAA-11111']) };
  expect(await copies().erase(erasure)).toEqual({ rows: 0, redacted: 0, temporaryFiles: 0 });
  expect(await copies().expire({ references: erasure.references, before: '2027' })).toBe(0);
  expect(readFileSync(backupPath(), 'utf8')).toBe(text);
  expect(await copies().find(erasure)).toMatchObject([{ kind: 'unmanaged file', path: backupPath() }]);
  expect(await copies().find(erasureOf('nobody@example.com'))).toEqual([]);
});

test('a sheet saved on Windows keeps its characters, and a correction is never a formula', async () => {
  const text =
    'Email,Name,Reference\nzoe@example.com,Z,A\nb@example.com,M\xfcller \x80,B\nc@example.com,C,C\n';
  writeFileSync(path, Buffer.from(text, 'latin1'));
  await copies().erase(erasureOf('zoe@example.com'));
  expect(await copies().rectify(new Set(['C']), { name: '=Łukasz' })).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe(
    '\ufeff"Email","Name","Reference"\r\n"b@example.com","Müller €","B"\r\n"c@example.com","\'=Łukasz","C"\r\n',
  );
});

test('a row that a crash truncated is removed first, and a row that the owner edited is not', async () => {
  await createFile().deliver({ ...samplePayload, reference: 'B', email: 'b@example.com' }, attempt);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, `${whole}"2026-01-02T03:04:05.678Z","Zoë","zoe@example.com","","a ""b""\r\n"",""`);
  expect(await copies().find(erasureOf('zoe@example.com'))).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe(whole);
  const broken = whole.replace('"b@', 'b@') + whole.slice(whole.indexOf('\n') + 1);
  writeFileSync(path, broken);
  expect(await copies().find(erasureOf('b@example.com'))).toMatchObject([{ kind: 'unmanaged file' }]);
  expect(readFileSync(path, 'utf8')).toBe(broken);
});

test('expired rows are removed with their message, and once a day by their own time', async () => {
  const rows = ['2025-01-01T00:00:00Z,R1', '2026-01-01T00:00:00Z,R2', 'last week,R3'];
  const text = ['Received,Reference', ...rows, ''].join('\r\n');
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
  const added: string[] = [];
  let isOver = false;
  const adding = (async () => {
    const server = createFile();
    for (let at = 0; at < 1000 && !isOver; at++) {
      added.push(`P-${at}`);
      expect(await deliver(`P-${at}`, server)).toEqual({ kind: 'delivered' });
      await wait(10);
    }
  })();
  for (let round = 0; round < 8; round++) {
    await sheet.deliver({ ...samplePayload, reference: 'GONE', email: 'x@example.com' }, attempt);
    expect(await copies().erase(erasureOf('x@example.com'))).toMatchObject({ rows: 1 });
  }
  isOver = true;
  await adding;
  expect(added.length).toBeGreaterThan(1);
  expect(references()).toEqual(added);
});
