import { expect, test } from 'vitest';
import { openStore } from '../src/store/open-store.ts';
import { runCommand } from './harness/command.ts';
import { databases } from './harness/databases.ts';
import { addReportData, filledWeeks } from './harness/report.ts';
import { testConfig } from './harness/site.ts';

const { monday, next } = filledWeeks;

type Printed = { figures: { id: string; rows: unknown[][] }[] };

test.each(databases)(
  'npm run inbox -- report prints the figures of $name, without personal data',
  async ({ create }) => {
    await using database = await create();
    const report = (...args: string[]) => runCommand('src/cli/inbox.ts', ['report', ...args], database.env);
    await (await openStore({ ...testConfig(database.env), onError: () => undefined })).close();
    expect((await report()).out.match(/None so far/g)).toHaveLength(7);

    await addReportData(database);
    const { code, out } = await report('--json');
    expect(code).toBe(0);
    const { figures }: Printed = JSON.parse(out);
    const rowsOf = (id: string) => figures.find(figure => figure.id === id)?.rows ?? [];
    expect(rowsOf('messages').slice(-3, -1)).toEqual([
      [monday, 3, 2, 33.3, 2, 1, 6],
      [next, 1, 0, 0, 0, 0, 1],
    ]);
    expect(rowsOf('forms').at(-2)).toEqual([next, 0, 1]);
    expect(rowsOf('services').at(-3)?.slice(0, 2)).toEqual([monday, 2]);
    expect(rowsOf('answers')).toContainEqual(['closed without an answer', 1, 25]);
    expect(rowsOf('audits')).toContainEqual([next, 1, 1]);
    expect(rowsOf('subscribers').at(-2)).toEqual([next, 0, 2, 1]);
    expect(rowsOf('deliveries')[0]).toEqual(['sheet', 3, 0.5, 5410, 5410]);
    const printed = (await report()).out;
    expect(printed).toContain(`\n${monday}\t3\t2\t33.3\t`);
    expect(printed + out).not.toMatch(/Zoë|@example|Please call|a word of my own|unsubscribed|is full/i);
  },
  60_000,
);
