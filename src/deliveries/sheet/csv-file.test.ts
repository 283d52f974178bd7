import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
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
import type { Attempt, MessageParcel, Receiver } from '../delivery.ts';
import { createSheet } from './sheet.ts';

let dataDir: string;
let path: string;
let sheet: Receiver;

const attempt: Attempt = { isPossiblyTwice: false, signal: new AbortController().signal };
const parcel: MessageParcel = {
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
  sheet = createFile();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function createFile(): Receiver {
  return createSheet({ kind: 'file' }, { dataDir });
}

function deliver(reference = parcel.reference, to = sheet) {
  return to.deliver({ ...parcel, reference }, attempt);
}

function find(reference: string) {
  return sheet.find?.({ ...parcel, reference }, attempt.signal);
}

function readRows(): Record<string, string>[] {
  return parse(readFileSync(path), { bom: true, columns: true, record_delimiter: '\r\n' });
}

function references(): (string | undefined)[] {
  return readRows().map(row => row.Reference);
}

describe('a row', () => {
  test('is what the visitor wrote, in a file that only its owner reads and any spreadsheet program opens', async () => {
    expect(await deliver()).toEqual({ kind: 'delivered' });
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith('\ufeff"Received","Name","Email","Service","Message","Reference"\r\n')).toBe(true);
    expect(text.endsWith('"AAAAA-11111"\r\n')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readRows()).toEqual([
      {
        Received: parcel.receivedAt,
        Name: parcel.name,
        Email: parcel.email,
        Service: "'=cmd()",
        Message: parcel.message,
        Reference: parcel.reference,
      },
    ]);
  });

  test('may be a notice of the site itself', async () => {
    const { reference, receivedAt } = parcel;
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

  test('comes after the others, also when many come at once, from several processes', async () => {
    const others = [sheet, createFile(), createFile(), createFile()];
    const wanted = Array.from({ length: 40 }, (_, index) => `AAAAA-${10_000 + index}`);
    const outcomes = await Promise.all(wanted.map((one, index) => deliver(one, others[index % 4])));
    expect(outcomes.every(({ kind }) => kind === 'delivered')).toBe(true);
    expect(references().sort()).toEqual(wanted);
  });

  test('is not begun when the attempt is over', async () => {
    const outcome = await sheet.deliver(parcel, { ...attempt, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: 'failed', isAmbiguous: false });
    expect(existsSync(path)).toBe(false);
  });
});

describe('a row can be found', () => {
  test('by its reference, and only there', async () => {
    expect(await find('AAAAA-11111')).toBe(false);
    await deliver('AAAAA-11111');
    await sheet.deliver(
      { ...parcel, reference: 'BBBBB-22222', name: 'CCCCC-33333', message: 'DDDDD-44444' },
      attempt,
    );
    expect(await find('AAAAA-11111')).toBe(true);
    expect(await find('BBBBB-22222')).toBe(true);
    expect(await find('CCCCC-33333')).toBe(false);
    expect(await find('DDDDD-44444')).toBe(false);
    expect(await find('AAAAA')).toBe(false);
  });

  test.each([
    ['saved it with semicolons', 'Received;Name;Reference\n2026;Ann;AAAAA-11111\n'],
    ['put the reference first', 'Reference,Received\r\nAAAAA-11111,2026\r\n'],
    ['added a column', '"Name","Reference","Done"\r\n"Ann","AAAAA-11111","yes"\r\n'],
  ])('when its owner has %s', async (_, text) => {
    writeFileSync(path, text);
    expect(await find('AAAAA-11111')).toBe(true);
    expect(await find('BBBBB-22222')).toBe(false);
  });

  test('when its writer was killed before the newline, but not when it was before the reference', async () => {
    await deliver('AAAAA-11111');
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -2));
    expect(await find('AAAAA-11111')).toBe(true);
    writeFileSync(path, whole.subarray(0, -3));
    expect(await find('AAAAA-11111')).toBe(false);
    await deliver('AAAAA-11111');
    expect(references()).toEqual(['AAAAA-11111']);
  });
});

describe('the file', () => {
  test('may be removed, emptied or replaced by its owner', async () => {
    await deliver('AAAAA-11111');
    rmSync(path);
    await deliver('BBBBB-22222');
    expect(references()).toEqual(['BBBBB-22222']);
    writeFileSync(path, '');
    await deliver('CCCCC-33333');
    expect(references()).toEqual(['CCCCC-33333']);
    writeFileSync(path, 'Received,Name,Email,Service,Message,Reference\r\n1,2,3,4,5,DDDDD-44444');
    await deliver('EEEEE-55555');
    expect(references()).toEqual(['DDDDD-44444', 'EEEEE-55555']);
  });

  test('that was left torn is mended, also when another process tore it just now', async () => {
    await deliver('AAAAA-11111');
    for (const torn of ['"2026","Ann', '"2026","Ann","","","say ""hello\r\n']) {
      writeFileSync(path, torn, { flag: 'a' });
      expect(await deliver('BBBBB-22222')).toEqual({ kind: 'delivered' });
    }
    expect(references()).toEqual(['AAAAA-11111', 'BBBBB-22222', 'BBBBB-22222']);
  });

  test('is made with its folder, and leaves nothing beside it', async () => {
    dataDir = join(dataDir, 'a');
    await deliver('AAAAA-11111', createFile());
    expect(readFileSync(join(dataDir, 'messages.csv'), 'utf8')).toContain('AAAAA-11111');
    expect(existsSync(path)).toBe(false);
    dataDir = join(dataDir, '..');
  });
});

describe('what goes wrong is told, and nothing is half written', () => {
  test('a folder in its place', async () => {
    mkdirSync(path);
    expect(await deliver()).toEqual({
      kind: 'failed',
      why: 'messages.csv cannot be written: it is a folder',
      isAmbiguous: false,
    });
    await expect(find(parcel.reference)).rejects.toThrow();
  });

  test.runIf(existsSync('/dev/full'))('a full disk', async () => {
    symlinkSync('/dev/full', path);
    expect(await deliver()).toEqual({
      kind: 'failed',
      why: 'messages.csv cannot be written: the disk is full',
      isAmbiguous: false,
    });
  });

  test.skipIf(process.platform === 'win32')('a disk that takes only a part of the row', async () => {
    await deliver('AAAAA-11111');
    const before = readFileSync(path, 'utf8');
    const script = `
      import { createSheet } from ${JSON.stringify(join(import.meta.dirname, 'sheet.ts'))};
      const sheet = createSheet({ kind: 'file' }, { dataDir: ${JSON.stringify(dataDir)} });
      const parcel = { ...${JSON.stringify(parcel)}, message: 'x'.repeat(5000) };
      console.log(JSON.stringify(await sheet.deliver(parcel, { signal: new AbortController().signal })));`;
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
      kind: 'failed',
      why: 'messages.csv cannot be written: the disk is full',
      isAmbiguous: false,
    });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});
