import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../../tests/harness/databases.ts';
import { collectLog, testConfig } from '../../../tests/harness/site.ts';
import { bring, verbDeps } from '../../../tests/harness/subscribers.ts';
import { type Wired, wire } from '../../server/wire.ts';
import { type ImportRow, listColumns, parseTime } from './import-row.ts';
import { importSubscribers } from './import-subscribers.ts';

const proof = {
  form: 'fair 2025',
  wording: 'Yes, send me your news.',
  asked_at: '2025-05-01 09:00',
  confirmed_at: '2025-05-02T10:00:00+02:00',
};

describe.each(databases)('importing on $name', ({ create }) => {
  let database: TestDatabase;
  let site: Wired;
  beforeAll(async () => {
    database = await create();
    site = await wire(testConfig(database.env), collectLog());
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  async function importRows(
    rows: Partial<ImportRow['cells']>[],
    options: { asConfirmed?: boolean; isDryRun?: boolean } = {},
  ) {
    const found: string[] = [];
    const deps = { ...verbDeps(site), nameWording: (text: string) => `id of ${text}` };
    const result = await importSubscribers(deps, () => toRows(rows), {
      asConfirmed: options.asConfirmed ?? false,
      isDryRun: options.isDryRun ?? false,
      onMistake: ({ line, reason }) => found.push(`${line}: ${reason}`),
    });
    return { ...result, found };
  }
  const find = (address: string) =>
    site.store.subscribers.get(site.newsletter.naming.nameSubscriber(address));

  test('asks everybody, and nobody who is known', async () => {
    const standings = ['pending', 'confirmed', 'unsubscribed', 'owner', 'erased'] as const;
    for (const standing of standings) await bring(verbDeps(site), `${standing}@example.com`, standing);
    const before = await site.store.subscribers.countSignUps();
    const rows = [...standings, 'new', 'NEW', 'other'].map(name => ({ address: ` ${name}@example.com` }));

    const trial = await importRows(rows, { isDryRun: true });
    expect(await site.store.subscribers.countSignUps()).toBe(before);
    const real = await importRows(rows);
    expect(real).toEqual(trial);
    expect(real.counts).toMatchObject({ ask: 2, confirmed: 0, known: 5, repeated: 1 });
    expect(await site.store.subscribers.countSignUps()).toBe(before + 2);
    expect(await find('erased@example.com')).toMatchObject({ address: null, state: 'suppressed' });
  });

  test('asks a mailbox once, but takes each address that has proof', async () => {
    const rows = ['tags', 'tags+a', 'Tags+b'].map(name => ({ address: `${name}@example.com` }));
    expect((await importRows(rows)).counts).toMatchObject({ ask: 1, repeated: 2 });
    const proven = rows.map((row, index) => ({ ...row, ...proof, address: `proof+${index}@example.com` }));
    expect((await importRows(proven, { asConfirmed: true })).counts).toMatchObject({
      confirmed: 3,
      repeated: 0,
    });
  });

  test('leaves out a line that is wrong, and says why', async () => {
    const { found, counts } = await importRows([
      { address: 'fine@example.com' },
      { address: 'two@example.com, three@example.com' },
      { address: 'state@example.com', state: 'abonniert' },
    ]);
    expect(counts.ask).toBe(1);
    expect(found.map(line => line.slice(0, 2))).toEqual(['3:', '4:']);
  });

  test.each([
    ['no form', { form: '' }, 'form is missing'],
    ['no words', { wording: '' }, 'wording is missing'],
    ['no time', { asked_at: '' }, 'asked_at is missing'],
    ['no confirmation', { confirmed_at: '' }, 'confirmed_at is missing'],
    ['a time that is to come', { confirmed_at: '2999-01-01' }, 'in the future'],
    ['a time that may be two', { asked_at: '01/02/2025' }, 'expected a time'],
    ['a confirmation before the question', { confirmed_at: '2025-04-01' }, 'before asked_at'],
    ['a time of leaving', { left_at: '2025-06-01' }, 'left_at'],
    ['a complaint', { state: 'confirmed', suppressed_why: 'complaint' }, 'suppressed_why'],
  ])('takes nothing as confirmed when one row has %s', async (_, cells, reason) => {
    const rows = [
      { address: 'good@example.com', ...proof },
      { address: 'gone@example.com', state: 'unsubscribed' },
      { address: 'bad@example.com', ...proof, ...cells },
    ];
    const { isImported, found } = await importRows(rows, { asConfirmed: true });
    expect(isImported).toBe(false);
    expect(found).toEqual([expect.stringMatching(new RegExp(`^4: .*${reason}`))]);
    expect(await find('good@example.com')).toBeUndefined();
    expect(await find('gone@example.com')).toBeUndefined();
  });

  test('takes proof for what it is, and whoever left for one who left', async () => {
    const rows = [
      { address: 'Proven@Example.com', ...proof },
      { address: 'left@example.com', state: 'Unsubscribed', left_at: '2025-06-01' },
      {
        address: 'bounced@example.com',
        state: 'suppressed',
        suppressed_why: 'bounce',
        left_at: '2025-06-01',
        ...proof,
      },
      { address: 'waits@example.com', state: 'pending' },
    ];
    const { counts } = await importRows(rows, { asConfirmed: true });
    expect(counts).toMatchObject({ confirmed: 1, unsubscribed: 1, suppressed: 1, ask: 1 });
    expect(await find('proven@example.com')).toMatchObject({
      address: 'Proven@example.com',
      state: 'confirmed',
      form: proof.form,
      wording: `id of ${proof.wording}`,
      asked_at: '2025-05-01T09:00:00.000Z',
      confirmed_at: '2025-05-02T08:00:00.000Z',
    });
    expect(await site.store.subscribers.getWording(`id of ${proof.wording}`)).toMatchObject({
      text: proof.wording,
    });
    expect(await find('left@example.com')).toMatchObject({
      state: 'unsubscribed',
      left_at: '2025-06-01T00:00:00.000Z',
    });
    // Lifting the suppression must not undo the leaving.
    const bounced = site.newsletter.naming.nameSubscriber('bounced@example.com');
    expect(await site.store.subscribers.unsuppress(bounced, new Date().toISOString())).toBe('unsubscribed');
  });
});

test.each([
  ['2025-01-02', '2025-01-02T00:00:00.000Z'],
  ['2025-01-02 03:04', '2025-01-02T03:04:00.000Z'],
  ['2025-01-02T03:04:05.123456Z', '2025-01-02T03:04:05.123Z'],
  ['2025-01-02T03:04:05-0130', '2025-01-02T04:34:05.000Z'],
  ['2025-02-30', undefined],
  ['2025-01-02T25:00', undefined],
  ['02.01.2025', undefined],
  ['45658', undefined],
])('the time %j is %j', (text, time) => expect(parseTime(text)).toBe(time));

/** The first line of a file is its head. */
async function* toRows(rows: Partial<ImportRow['cells']>[]): AsyncGenerator<ImportRow> {
  const empty = Object.fromEntries(listColumns.map(column => [column, ''])) as ImportRow['cells'];
  for (const [index, cells] of rows.entries()) yield { line: index + 2, cells: { ...empty, ...cells } };
}
