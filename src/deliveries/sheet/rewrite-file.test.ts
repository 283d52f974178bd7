import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, MessageParcel } from '../delivery.ts';
import { rewriteFile } from './rewrite-file.ts';
import { createSheet } from './sheet.ts';
import { createSheetCopies } from './sheet-copies.ts';

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-rewrite-'));
  path = join(dataDir, 'messages.csv');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const attempt: Attempt = { isPossiblyTwice: false, signal: new AbortController().signal };
const parcel: MessageParcel = {
  kind: 'message',
  reference: 'AAAAA-11111',
  receivedAt: '2026-01-02T03:04:05.678Z',
  name: 'Zoë',
  email: 'zoe@example.com',
  message: 'one\r\ntwo',
  service: '',
};

const text = () => readFileSync(path, 'utf8');
const references = () =>
  (
    parse(readFileSync(path), { bom: true, columns: true, relax_column_count: true }) as {
      Reference: string;
    }[]
  ).map(row => row.Reference);

describe('rows are taken out and put right', () => {
  test('and every other byte stays, however the owner saved the file', async () => {
    const kept = 'x;"a;b";"c ""d""\n";\tplain "q";B\n';
    writeFileSync(path, `Name;Note;Reference\nAnn;"say ""hi""\nthere";A\n${kept}Ann;;C`, { mode: 0o640 });
    expect(await rewriteFile(path, row => (row.cell('Name') === 'Ann' ? 'remove' : 'keep'))).toBe(2);
    expect(text()).toBe(`Name;Note;Reference\n${kept}`);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(dataDir)).toEqual(['messages.csv']);
  });

  test('cell by cell, with whatever stands in them', async () => {
    writeFileSync(
      path,
      '\ufeff"Name","Email","Reference"\r\n"Ann, ""A""",ann@example.com,R1\r\nZoë,z@example.com,R2\r\n',
    );
    await rewriteFile(path, row =>
      row.reference === 'R2'
        ? 'keep'
        : new Map([
            [0, 'Añn; "B"'],
            [row.indexOf('Email'), ''],
          ]),
    );
    expect(text()).toBe('\ufeff"Name","Email","Reference"\r\n"Añn; ""B""","",R1\r\nZoë,z@example.com,R2\r\n');
  });

  test('and nothing is written where nothing is to change', async () => {
    expect(await rewriteFile(path, () => 'remove')).toBe(0);
    writeFileSync(path, 'Name,Reference\r\nAnn,R1\r\n');
    const before = statSync(path).ino;
    expect(await rewriteFile(path, () => 'keep')).toBe(0);
    expect(statSync(path).ino).toBe(before);
  });

  test('after a process that was killed left its draft, whose time is long over', async () => {
    writeFileSync(path, 'Name,Reference\r\nAnn,R1\r\n');
    writeFileSync(`${path}.rewrite`, 'Name,Refer');
    utimesSync(`${path}.rewrite`, new Date(0), new Date(0));
    expect(await rewriteFile(path, () => 'remove')).toBe(1);
    expect(readdirSync(dataDir)).toEqual(['messages.csv']);
  });
});

test('a row that was added meanwhile is there as soon as the new file is: whoever rewrites it may be killed then', async () => {
  const start = 'Name,Reference\r\nAnn,R1\r\n';
  for (const [added, isTakenAtOnce] of [
    ['"Bob ""B""\r\n","R2"\r\n', true],
    ['"Bob\r\n', false],
  ] as const) {
    writeFileSync(path, start);
    const before = statSync(path).ino;
    let isAdded = false;
    const rewriting = rewriteFile(path, () => {
      if (!isAdded) writeFileSync(path, added, { flag: 'a' });
      isAdded = true;
      return 'remove';
    });
    while (statSync(path).ino === before) await new Promise(setImmediate);
    expect(text()).toBe(`Name,Reference\r\n${isTakenAtOnce ? added : ''}`);
    await rewriting;
    expect(text()).toBe(`Name,Reference\r\n${added}`);
  }
});

test('a server that adds rows meanwhile loses none, and none is there twice', async () => {
  const sheet = createSheet({ kind: 'file' }, { dataDir });
  for (let at = 0; at < 50; at++)
    await sheet.deliver({ ...parcel, reference: `GONE-${at}`, email: 'x@example.com' }, attempt);
  const count = 30;
  const others = ['P', 'Q'].map(name => runWriter(name, count));
  const own = write('R', count);
  const search = {
    references: new Set<string>(),
    isTheirs: (email: string) => email === 'x@example.com',
    mentions: () => false,
  };
  const copies = createSheetCopies(dataDir);
  let isOver = false;
  const all = Promise.all([own, ...others]).finally(() => {
    isOver = true;
  });
  let rewritten = 0;
  while (!isOver) {
    await sheet.deliver({ ...parcel, reference: `MORE-${rewritten}`, email: 'x@example.com' }, attempt);
    const { rows } = await copies.erase({
      ...search,
      upTo: '2027-01-01T00:00:00.000Z',
      redact: words => words,
    });
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

  /** As the outbox does it: whoever does not know whether a row arrived looks before writing it again. */
  async function write(name: string, rows: number): Promise<void> {
    for (let at = 0; at < rows; at++) {
      const one = { ...parcel, reference: `${name}-${at}` };
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
      import { createSheet } from ${JSON.stringify(join(import.meta.dirname, 'sheet.ts'))};
      const attempt = { isPossiblyTwice: false, signal: new AbortController().signal };
      const [sheet, parcel] = [createSheet({ kind: 'file' }, { dataDir: ${JSON.stringify(dataDir)} }), ${JSON.stringify(parcel)}];
      ${write.toString().replaceAll('parcel, reference', 'parcel, reference')}
      await write(${JSON.stringify(name)}, ${rows});`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return new Promise((done, failed) => {
      child.once('exit', code => (code === 0 ? done() : failed(new Error(`a writer ended with ${code}`))));
    });
  }
});
