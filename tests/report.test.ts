import { expect, test } from 'vitest';
import { listWeeks } from '../src/core/figures/weeks.ts';
import { runCommand } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { newMessage } from './harness/sample-message.ts';
import { testConfig } from './harness/site.ts';
import { openTestStore } from './harness/stores.ts';
import { addSubscribers } from './harness/subscribers.ts';

/** The two weeks before this one, by their first day. */
const [{ from: monday = '' } = {}, { from: next = '' } = {}] = listWeeks(new Date(), 3);
const sunday = new Date(Date.parse(next) - 1).toISOString().slice(0, 10);

type Printed = { figures: { id: string; rows: unknown[][] }[] };

test.each(databases)(
  'npm run inbox -- report prints the figures of $name, without personal data',
  async ({ create }) => {
    await using database = await create();
    const report = (...args: string[]) =>
      runCommand('src/apps/cli/inbox.ts', ['report', ...args], database.env);
    await (await openTestStore({ ...testConfig(database.env), onError: () => undefined })).close();
    expect((await report()).out.match(/None so far/g)).toHaveLength(4);

    await addReportData(database);
    const { code, out } = await report('--json');
    expect(code).toBe(0);
    const { figures }: Printed = JSON.parse(out);
    const rowsOf = (id: string) => figures.find(figure => figure.id === id)?.rows ?? [];
    expect(rowsOf('messages').slice(-3, -1)).toEqual([
      [monday, 1, 2, 2, 1, 6],
      [next, 1, 0, 0, 0, 1],
    ]);
    expect(rowsOf('answers')).toContainEqual(['closed', 1, 25]);
    expect(rowsOf('answers')).toContainEqual(['open', 2, 50]);
    expect(rowsOf('subscribers').slice(-3, -1)).toEqual([
      [monday, 3, 3, 0],
      [next, 1, 0, 2],
    ]);
    expect(rowsOf('failures').at(-2)).toEqual([next, 2, 1, 1]);
    const printed = (await report()).out;
    expect(printed).toContain(`\n${monday}\t1\t2\t2\t1\t6\n`);
    expect(printed + out).not.toMatch(/Zoë|@example|Please call|a word of my own|unsubscribed|is full/i);
  },
  60_000,
);

/** Two weeks of messages, deliveries and subscribers: a few of each kind, so that the figures are easy to verify. */
async function addReportData(database: TestDatabase): Promise<void> {
  const store = await openTestStore({ ...testConfig(database.env), onError: () => undefined });
  const at = (day: string, time = '12:00:00.000') => `${day}T${time}Z`;
  const messages = [
    { reference: 'AAAAA-AAAAA', received_at: at(monday, '00:00:00.000'), service: 'Data Security' },
    { reference: 'BBBBB-BBBBB', received_at: at(sunday, '23:59:59.999'), service: 'Data Security' },
    { reference: 'CCCCC-CCCCC', received_at: at(monday), service: '<script>a word of my own</script>' },
    { reference: 'DDDDD-DDDDD', received_at: at(next), audit_report: 'r' },
    { reference: 'EEEEE-EEEEE', received_at: at(monday), state: 'quarantined' as const },
    { reference: 'FFFFF-FFFFF', received_at: at(monday), state: 'spam' as const },
    { reference: 'GGGGG-GGGGG', received_at: at(monday), state: 'empty' as const },
  ];
  for (const message of messages) {
    const receivers = message.state ? [] : ['sheet', 'mail'];
    await store.messages.add(newMessage({ ...message, receivers }));
  }
  const now = at(next);
  await store.messages.changeState('AAAAA-AAAAA', { from: ['new'], to: 'answered', now });
  await store.messages.changeState('DDDDD-DDDDD', { from: ['new'], to: 'closed', now });
  const known = {
    form: 'home',
    consent_text: 'w',
    consent_requested_at: at(monday),
    confirmed_at: at(monday),
  };
  await addSubscribers(database, [
    { ...known, id: 'a', address: 'a@example.com', state: 'confirmed' },
    { ...known, id: 'b', address: 'b@example.com', state: 'unsubscribed', unsubscribed_at: at(next) },
    {
      ...{ ...known, id: 'c', address: 'c@example.com', state: 'suppressed' },
      ...{ suppressed_at: at(next), suppression_reason: 'bounce' },
    },
  ]);
  await store.close();
  const settle = (reference: string, receiver: string, time: string) =>
    database.query(`update deliveries set state = 'delivered', settled_at = '${time}'
      where reference = '${reference}' and receiver = '${receiver}'`);
  await settle('AAAAA-AAAAA', 'sheet', at(monday, '00:00:00.500'));
  await settle('AAAAA-AAAAA', 'mail', at(monday, '00:00:01.000'));
  await settle('CCCCC-CCCCC', 'sheet', at(monday, '12:00:00.040'));
  await settle('DDDDD-DDDDD', 'sheet', at(next, '13:30:10.000'));
  await settle('DDDDD-DDDDD', 'mail', at(next, '12:00:02.000'));
  await database.query(`update deliveries set state = 'failed', settled_at = '${at(next)}',
    last_failure = '550 zoe@example.com is full' where reference = 'CCCCC-CCCCC' and receiver = 'mail'`);
  await database.query(`insert into deliveries (reference, receiver, kind, state, created_at, due_at, settled_at, last_failure)
    values ('LLLLL-LLLLL', 'confirmations', 'confirmation', 'failed', '${at(next)}', '${at(next)}', '${at(next)}', 'no such mailbox')`);
}
