import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { runCommand } from './harness/command.ts';
import { databases, databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { addReportData, filledWeeks } from './harness/report.ts';
import { testConfig } from './harness/site.ts';

const script = 'src/cli/inbox.ts';
const { monday, next } = filledWeeks;

describe.each(databaseUnderTest)('npm run inbox -- report on $name', { timeout: 60_000 }, ({ create }) => {
  let database: TestDatabase;
  let file: string;
  beforeAll(async () => {
    database = await create();
    file = join(database.dataDir, 'report.html');
    const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
    await store.close();
  });
  afterAll(() => database.remove());

  test('is a valid page when empty, and contains the figures of either database', async () => {
    const empty = await runCommand(script, ['report', file], database.env);
    expect(empty).toMatchObject({ code: 0, out: '' });
    expect(empty.err).toBe(`Report written to ${file}\n`);
    expect(readFileSync(file, 'utf8').match(/None so far/g)).toHaveLength(5);

    await addReportData(database);
    const { code, out } = await runCommand(script, ['report', file, '--force', '--json'], database.env);
    expect(code).toBe(0);
    const figures: { title: string; rows: { cells: unknown[] }[] }[] = JSON.parse(out).figures;
    const cellsOf = (title: string) =>
      figures.find(figure => figure.title === title)?.rows.map(({ cells }) => cells);
    expect(cellsOf('Messages and quarantine')?.slice(1)).toEqual([
      [next, 1, 0, '0.0 %', 0, 1],
      [monday, 3, 2, '33.3 %', 1, 6],
    ]);
    expect(cellsOf('Services')).toEqual([
      ['Data Security', 2, '50.0 %'],
      ['None chosen', 1, '25.0 %'],
      ['Other', 1, '25.0 %'],
    ]);
    expect(cellsOf('Delivery time')).toEqual([
      ['sheet', 3, '0.5 s', '1.5 h', '1.5 h'],
      ['mail', 2, '1 s', '2 s', '2 s'],
    ]);
    expect(cellsOf('Newsletter subscribers')?.slice(1)).toEqual([
      [next, 0, 2, 1],
      [monday, 3, 0, 3],
    ]);
    expect(cellsOf('Failed deliveries')).toEqual([
      ['mail', 1],
      ['confirmations', 1],
    ]);

    const page = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
    expect(page).not.toMatch(/<script|<img|<link|href=|src=|url\(|https?:|@import/i);
    // It contains no personal data.
    expect(page).not.toMatch(/Zoë|@example|Please call|a word of my own|unsubscribed|is full/i);
  });
});

test('rejects other file types, and overwrites nothing', { timeout: 60_000 }, async () => {
  const [sqlite] = databases;
  const database = (await sqlite?.create()) as TestDatabase;
  const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
  await store.close();
  const file = join(database.dataDir, 'report.pdf');
  const wrong = await runCommand(script, ['report', file], database.env);
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('must be an .html file');
  expect(existsSync(file)).toBe(false);
  const page = join(database.dataDir, 'report.html');
  writeFileSync(page, 'mine');
  const taken = await runCommand(script, ['report', page], database.env);
  expect(taken).toEqual({
    code: 1,
    out: '',
    err: `error: ${page} already exists; use --force to overwrite it\n`,
  });
  expect(readFileSync(page, 'utf8')).toBe('mine');
  const piped = await runCommand(script, ['report', '-'], database.env);
  expect(piped).toMatchObject({ code: 0, err: '' });
  expect(piped.out).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  await database.remove();
});
