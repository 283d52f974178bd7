import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../src/store/open.ts';
import { runCommand } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { filledWeeks, fillForReport } from './harness/report.ts';
import { testConfig } from './harness/site.ts';

const script = 'src/cli/inbox.ts';
const { monday, next } = filledWeeks;

describe.each(databases)('npm run inbox -- report on $name', { timeout: 60_000 }, ({ create }) => {
  let database: TestDatabase;
  let file: string;
  beforeAll(async () => {
    database = await create();
    file = join(database.dataDir, 'report.html');
    const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
    await store.close();
  });
  afterAll(() => database.remove());

  test('is a good page with nothing in it, then one with the figures of either database', async () => {
    const empty = await runCommand(script, ['report', file], database.env);
    expect(empty).toMatchObject({ code: 0, out: '' });
    expect(empty.err).toBe(`The report is in ${file}: open it in a browser, or print it.\n`);
    expect(readFileSync(file, 'utf8').match(/Nothing yet/g)).toHaveLength(9);

    await fillForReport(database);
    const { code, out } = await runCommand(script, ['report', file, '--force', '--json'], database.env);
    expect(code).toBe(0);
    const plots: { id: string; rows: string[][] }[] = JSON.parse(out).plots;
    const rowsOf = (id: string, most = 10) => plots.find(plot => plot.id === id)?.rows.slice(0, most);
    expect(rowsOf('messages-per-week', 2)).toEqual([
      [monday, '3', '2', '1', '6'],
      [next, '1', '0', '0', '1'],
    ]);
    expect(rowsOf('share-quarantined', 1)).toEqual([[monday, '2', '6', '33 %']]);
    expect(rowsOf('by-service')).toEqual([
      ['Data Security', '2', '50 %'],
      ['None chosen', '1', '25 %'],
      ['Other', '1', '25 %'],
    ]);
    expect(rowsOf('time-to-receivers')).toEqual([
      ['Sheet', '3', '0.5 s', '1.5 h', '1.5 h'],
      ['Mailbox', '2', '1 s', '2 s', '2 s'],
    ]);
    expect(rowsOf('newsletter-growth', 2)).toEqual([
      [monday, '3', '0', '3'],
      [next, '0', '2', '1'],
    ]);
    expect(rowsOf('dead-deliveries')).toEqual([
      ['Sheet', '0'],
      ['Mailbox', '1'],
      ['Webhook', '0'],
      ['Letters that ask to confirm', '1'],
      ['Newsletter issues', '0'],
    ]);

    expect(rowsOf('views-per-week', 2)).toEqual([
      [monday, '1,540'],
      [next, '88'],
    ]);
    expect(rowsOf('views-by-page')).toEqual([
      ['/', '1,285', '79 %'],
      ['/contact', '340', '21 %'],
      ['Not there (404)', '3', '0.2 %'],
    ]);
    expect(rowsOf('views-by-referrer')).toEqual([
      ['search.example', '340', '99 %'],
      ['an-old-link.example', '3', '0.9 %'],
    ]);
    expect(rowsOf('campaigns')).toEqual([['spring audit', 'letter', 'mail', '85', '4']]);

    const page = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
    expect(page).not.toMatch(/<script|<img|<link|href=|src=|url\(|https?:|@import/i);
    // What was written, by whom, to whom: none of it is told.
    expect(page).not.toMatch(/Zoë|@example|Please call|a word of my own|unsubscribed/i);
    expect(page).toContain('550 (an address) is full');
  });
});

test('what is no page is refused, and what is there is not replaced', { timeout: 60_000 }, async () => {
  const [sqlite] = databases;
  const database = (await sqlite?.create()) as TestDatabase;
  const store = await openStore({ ...testConfig(database.env), onError: () => undefined });
  await store.close();
  const file = join(database.dataDir, 'report.pdf');
  const wrong = await runCommand(script, ['report', file], database.env);
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('name it FILE.html');
  expect(existsSync(file)).toBe(false);
  const page = join(database.dataDir, 'report.html');
  writeFileSync(page, 'mine');
  const taken = await runCommand(script, ['report', page], database.env);
  expect(taken).toEqual({ code: 1, out: '', err: `${page} is there already; --force replaces it.\n` });
  expect(readFileSync(page, 'utf8')).toBe('mine');
  const piped = await runCommand(script, ['report', '-'], database.env);
  expect(piped).toMatchObject({ code: 0, err: '' });
  expect(piped.out).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  await database.remove();
});
