import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, MessagePayload, Receiver } from '../delivery.ts';
import { header } from './messages-file.ts';
import { createSheetCopies } from './sheet-copies.ts';
import { createSheetReceiver } from './sheet-receiver.ts';

let dataDir: string;
let path: string;
let sheet: Receiver;
/** What the database knows to be delivered. */
let stored: MessagePayload[];

const attempt: Attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
const payload: MessagePayload = {
  kind: 'message',
  reference: 'AAAAA-11111',
  receivedAt: '2026-11-15T08:00:00.000Z',
  name: 'Zoë, "Z"',
  email: 'zoe@example.com',
  message: 'one\r\n\ttwo 👍🏽 \u202e;',
  service: '=cmd()',
};

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sheet-'));
  path = join(dataDir, 'messages.csv');
  stored = [];
  sheet = createFile();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function createFile(): Receiver {
  const messages = async function* () {
    yield stored;
  };
  return createSheetReceiver({ kind: 'file' }, { dataDir, messages });
}

function deliver(reference = payload.reference, to = sheet) {
  return to.deliver({ ...payload, reference }, attempt);
}

const setAside = () => readdirSync(dataDir).filter(name => /^messages-.*Z\.csv$/.test(name));

function find(reference: string) {
  return sheet.find?.({ ...payload, reference }, attempt.signal);
}

function readRows(): Record<string, string>[] {
  return parse(readFileSync(path), { bom: true, columns: true, record_delimiter: '\r\n' });
}

function references(): (string | undefined)[] {
  return readRows().map(row => row.Reference);
}

describe('a row', () => {
  test('contains what the visitor wrote, in a private file that any spreadsheet program opens', async () => {
    expect(await deliver()).toEqual({ kind: 'delivered' });
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith('\ufeff"Received","Name","Email","Service","Message","Reference"\r\n')).toBe(true);
    expect(text.endsWith('"AAAAA-11111"\r\n')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readRows()).toEqual([
      {
        Received: payload.receivedAt,
        Name: payload.name,
        Email: payload.email,
        Service: "'=cmd()",
        Message: payload.message,
        Reference: payload.reference,
      },
    ]);
  });

  test('may be a notice', async () => {
    const { reference, receivedAt } = payload;
    const notice = {
      kind: 'notice',
      reference,
      receivedAt,
      title: 'Mail is paused',
      text: '- answered 401',
    } as const;
    await sheet.deliver(notice, attempt);
    expect(readRows()).toMatchObject([
      { Service: 'Notice', Name: 'Mail is paused', Message: "'- answered 401" },
    ]);
  });

  test('is appended, also by several concurrent processes', async () => {
    const others = [sheet, createFile(), createFile(), createFile()];
    const wanted = Array.from({ length: 40 }, (_, index) => `AAAAA-${10_000 + index}`);
    const outcomes = await Promise.all(wanted.map((one, index) => deliver(one, others[index % 4])));
    expect(outcomes.every(({ kind }) => kind === 'delivered')).toBe(true);
    expect(references().sort()).toEqual(wanted);
  });

  test('is not written after the attempt is aborted', async () => {
    const outcome = await sheet.deliver(payload, { ...attempt, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: 'retry', isAmbiguous: false });
    expect(existsSync(path)).toBe(false);
  });
});

describe('a row can be found', () => {
  test('by its reference, and only there', async () => {
    expect(await find('AAAAA-11111')).toBe(false);
    await deliver('AAAAA-11111');
    await sheet.deliver(
      { ...payload, reference: 'BBBBB-22222', name: 'CCCCC-33333', message: 'DDDDD-44444' },
      attempt,
    );
    expect(await find('AAAAA-11111')).toBe(true);
    expect(await find('BBBBB-22222')).toBe(true);
    expect(await find('CCCCC-33333')).toBe(false);
    expect(await find('DDDDD-44444')).toBe(false);
    expect(await find('AAAAA')).toBe(false);
  });

  test('and is not written again by another process', async () => {
    await deliver('AAAAA-11111');
    await deliver('BBBBB-22222');
    expect(await deliver('AAAAA-11111', createFile())).toEqual({ kind: 'delivered' });
    expect(references()).toEqual(['AAAAA-11111', 'BBBBB-22222']);
  });
});

describe('the file', () => {
  test('may be removed or emptied by its owner', async () => {
    await deliver('AAAAA-11111');
    rmSync(path);
    await deliver('BBBBB-22222');
    expect(references()).toEqual(['BBBBB-22222']);
    writeFileSync(path, '');
    await deliver('CCCCC-33333');
    expect(references()).toEqual(['CCCCC-33333']);
    expect(setAside()).toEqual([]);
  });

  test.each([
    ['with semicolons', 'Received;Name;Email;Service;Message;Reference\n2026;Ann;;;;AAAAA-11111\n'],
    ['without quotes', '\ufeffReceived,Name,Email,Service,Message,Reference\r\n2026,Ann,,,,AAAAA-11111\r\n'],
    ['with a column more', '"Name","Reference","Done"\r\n"Ann","AAAAA-11111","yes"\r\n'],
    ['as something else', 'PK\x03\x04'],
  ])('is set aside when its owner saved it %s, and written anew from the database', async (_, text) => {
    await deliver('AAAAA-11111');
    stored = [{ ...payload, name: 'From the database' }];
    writeFileSync(path, text);
    expect(await deliver('BBBBB-22222')).toEqual({ kind: 'delivered' });
    expect(references()).toEqual(['AAAAA-11111', 'BBBBB-22222']);
    expect(readRows()[0]?.Name).toBe('From the database');
    expect(setAside().map(name => readFileSync(join(dataDir, name), 'utf8'))).toEqual([text]);
    expect(readdirSync(dataDir)).toHaveLength(2);
    writeFileSync(path, text);
    expect([await find('AAAAA-11111'), await find('CCCCC-33333')]).toEqual([true, false]);
  });

  test('that a crash truncated has every row once after the next write', async () => {
    await deliver('AAAAA-11111');
    stored = [payload];
    await sheet.deliver({ ...payload, message: 'say ""\r\n"', reference: 'BBBBB-22222' }, attempt);
    const whole = readFileSync(path);
    const last = whole.length - whole.indexOf('AAAAA') - 13;
    // Both ends byte by byte, and every fifth between them.
    const cuts = Array.from({ length: last }, (_, index) => index + 1).filter(
      cut => cut < 8 || cut > last - 8 || cut % 5 === 0,
    );
    for (const cut of cuts) {
      writeFileSync(path, whole.subarray(0, -cut));
      await sheet.deliver({ ...payload, message: 'say ""\r\n"', reference: 'BBBBB-22222' }, attempt);
      expect(references(), `cut by ${cut}`).toEqual(['AAAAA-11111', 'BBBBB-22222']);
    }
    // Without its newline, or truncated just before the row, there is nothing to move to a backup copy.
    expect(setAside().length).toBeGreaterThan(cuts.length - 5);
    const isTheirs = (email: string) => email === payload.email;
    const person = {
      references: new Set<string>(),
      isTheirs,
      mentions: isTheirs,
      redact: String,
      upTo: '2027',
    };
    await createSheetCopies(dataDir).erase(person);
    const left = readdirSync(dataDir).map(name => readFileSync(join(dataDir, name), 'utf8'));
    expect(new Set(left)).toEqual(new Set([header]));
  });

  test('is created with its folder, and leaves no temporary files', async () => {
    dataDir = join(dataDir, 'a');
    await deliver('AAAAA-11111', createFile());
    expect(readdirSync(dataDir)).toEqual(['messages.csv']);
    expect(existsSync(path)).toBe(false);
    dataDir = join(dataDir, '..');
  });
});

describe('failures are reported, and no row is half written', () => {
  test('a folder in its place', async () => {
    mkdirSync(path);
    expect(await deliver()).toEqual({
      kind: 'retry',
      why: 'messages.csv cannot be written: it is a folder',
      isAmbiguous: false,
    });
    await expect(find(payload.reference)).rejects.toThrow();
  });

  test.runIf(existsSync('/dev/full'))('a full disk', async () => {
    symlinkSync('/dev/full', path);
    expect(await deliver()).toEqual({
      kind: 'retry',
      why: 'messages.csv cannot be written: the disk is full',
      isAmbiguous: false,
    });
  });

  test.skipIf(process.platform === 'win32')('a disk that writes only a part of the row', async () => {
    await deliver('AAAAA-11111');
    const before = readFileSync(path, 'utf8');
    const script = `
      import { createSheetReceiver } from ${JSON.stringify(join(import.meta.dirname, 'sheet-receiver.ts'))};
      const deps = { dataDir: ${JSON.stringify(dataDir)}, messages: async function* () {} };
      const sheet = createSheetReceiver({ kind: 'file' }, deps);
      const payload = { ...${JSON.stringify(payload)}, reference: 'BBBBB-22222', message: 'x'.repeat(5000) };
      console.log(JSON.stringify(await sheet.deliver(payload, { signal: new AbortController().signal })));`;
    // The shell counts in blocks of 512 bytes: the file may grow to 1024.
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'ulimit -f 2; exec "$0" "$@"',
      process.execPath,
      '--input-type=module',
      '--eval',
      script,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      kind: 'retry',
      why: 'messages.csv cannot be written: the disk is full',
      isAmbiguous: false,
    });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});
