import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { addReportData, filledWeeks } from './harness/report.ts';
import { testConfig } from './harness/site.ts';

const { monday, next } = filledWeeks;

test.each(databaseUnderTest)(
  'npm run inbox -- report writes the statistics of $name, without personal data',
  async ({ create }) => {
    await using database = await create();
    const report = (...args: string[]) => runCommand('src/cli/inbox.ts', ['report', ...args], database.env);
    const file = join(database.dataDir, 'report.html');
    await (await openStore({ ...testConfig(database.env), onError: () => undefined })).close();
    expect(await report(file)).toEqual({ code: 0, out: '', err: `Report written to ${file}\n` });
    expect(readFileSync(file, 'utf8').match(/None so far/g)).toHaveLength(5);

    await addReportData(database);
    const { code, out } = await report(file, '--force', '--json');
    expect(code).toBe(0);
    const statistics: { title: string; rows: { cells: unknown[] }[] }[] = JSON.parse(out).statistics;
    const cellsOf = (title: string) =>
      statistics.find(figure => figure.title === title)?.rows.map(({ cells }) => cells);
    expect(cellsOf('Messages and quarantine')?.slice(1)).toEqual([
      [next, 1, 0, 0, '0.0 %', 0, 1],
      [monday, 3, 2, 2, '33.3 %', 1, 6],
    ]);
    expect(cellsOf('Services')?.[0]).toEqual(['Data Security', 2, '50.0 %']);
    expect(cellsOf('Delivery time')?.[0]).toEqual(['sheet', 3, '0.5 s', '1.5 h', '1.5 h']);
    expect(cellsOf('Newsletter subscribers')?.[1]).toEqual([next, 0, 2, 1]);
    expect(cellsOf('Failed deliveries')?.[0]).toEqual(['mail', 1]);
    const page = readFileSync(file, 'utf8');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(page).not.toMatch(/<script|<img|<link|href=|src=|url\(|https?:|@import/i);
    expect(page).not.toMatch(/Zoë|@example|Please call|a word of my own|unsubscribed|is full/i);

    const pdf = join(database.dataDir, 'report.pdf');
    expect(await report(pdf)).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be an .html file'),
    });
    expect(existsSync(pdf)).toBe(false);
    writeFileSync(file, 'mine');
    const taken = `Error: ${file} already exists; use --force to overwrite it\n`;
    expect(await report(file)).toEqual({ code: 1, out: '', err: taken });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const piped = await report('-');
    expect([piped.code, piped.out]).toEqual([0, expect.stringMatching(/^<!doctype html>[\s\S]*<\/html>\n$/)]);
  },
  60_000,
);
