import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { newMessage } from '../../tests/harness/sample-message.ts';
import { testConfig } from '../../tests/harness/site.ts';
import { openTwoStores } from '../../tests/harness/stores.ts';
import { foldText } from '../lib/fold-text.ts';
import type { NewMessage } from './messages.ts';
import { openStore } from './open-store.ts';
import type { MessageFilter } from './select-messages.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

const sent = (number: number, about: Partial<NewMessage>) =>
  newMessage({ reference: `AAAAA-0000${number}`, received_at: at(number), ...about });

/** The oldest of them all: a search does not index them while it is the one to index newer ones. */
const searched = [
  sent(1, { name: 'Jörg MÜLLER', state: 'quarantined' }),
  sent(2, { message: '100% of a_b, \\ and "quoted"' }),
  sent(3, { message: 'Rhabarber\nfür alle 𝒳𝒴𝒵 中文字符' }),
  sent(4, { service: 'Rhabarber', email: 'ann+x@example.org' }),
];
const newer = Array.from({ length: 300 }, (_, index) =>
  newMessage({ received_at: at(10 + index), message: 'A boiler drips.' }),
);

const cases: [query: string, found: string, filter?: MessageFilter][] = [
  ['muller', '1'],
  ['rhabarber', '43'],
  ['rhabarber fur', '3'],
  ['rhabarber', '4', { since: at(4) }],
  ['muller', '', { state: 'new' }],
  ['100%', '2'],
  ['1%0', ''],
  ['axb', ''],
  ['\\', '2'],
  ['"quoted"', '2'],
  ['xyz', '3'],
  ['文字符', '3'],
  ['字', '3'],
  ['ann+x@', '4'],
  ['aaaaa-00004', '4'],
  ['noted jorg', '1'],
];

describe.each(databases)('a search on $name', async ({ name: kind, create }) => {
  const { database, store, other, close } = await openTwoStores(create);
  afterAll(close);

  beforeAll(async () => {
    await Promise.all([...searched, ...newer].map(store.messages.add));
    await store.messages.addNote('AAAAA-00001', 'Noted: call back', at(500));
  });

  async function search(query: string, filter: MessageFilter = {}): Promise<string[]> {
    const words = foldText(query).split(' ');
    const pages = await Array.fromAsync(store.messages.search(words, filter));
    return pages.flat().map(({ reference }) => reference);
  }
  const countTexts = async () =>
    Number((await database.query('select count(*) as n from search_texts'))[0]?.n);
  async function clearIndex(): Promise<void> {
    if (kind === 'SQLite')
      await database.query("insert into search_index (search_index) values ('delete-all')");
    await database.query('delete from search_texts');
  }
  const isOwn = (reference: string) => reference.startsWith('AAAAA');

  test('finds the same before, while and after messages are indexed, the newest first', async () => {
    const expected = cases.map(([query, found]) => [query, Array.from(found, end => `AAAAA-0000${end}`)]);
    for (const isIndexed of [false, true]) {
      const results: unknown[] = [];
      for (const [index, [query, , filter]] of cases.entries()) {
        if (!isIndexed && index % 3 === 0) await clearIndex();
        results.push([query, (await search(query, filter)).filter(isOwn)]);
        if (!isIndexed && index % 3 === 0) expect(await countTexts()).toBe(250);
      }
      expect(results).toEqual(expected);
      const filled = await Promise.all([store, other].map(one => one.messages.fillSearchTexts()));
      expect(filled).toEqual([true, true]);
      expect(await countTexts()).toBe(304);
    }
    expect(await search('boiler')).toEqual(newer.toReversed().map(({ reference }) => reference));
  });

  test('follows every change, and finds nothing of what is erased', async () => {
    const change = { references: [], redacted: [], notes: [], notices: [], audit: [] };
    const [first, second] = searched as [NewMessage, NewMessage];
    const { reference } = first;
    await store.privacy.rectifyMessages([reference], { name: 'Kw~Word' });
    expect([await search('muller'), await search('kw~word')]).toEqual([[], [reference]]);
    const { name, email, service } = second;
    const redacted = [{ reference: second.reference, name, email, message: 'Kw~Word', service }];
    const notes = [{ reference, created_at: at(500), text: 'Asked' }];
    await store.privacy.eraseMessages({ ...change, redacted, notes });
    expect([await search('quoted'), await search('noted')]).toEqual([[], []]);
    expect(await search('asked')).toEqual([reference]);
    expect(await search('kw~word')).toEqual([second.reference, reference]);

    await store.privacy.cleanUpStorage();
    if (kind === 'SQLite') expect(hasTrigram()).toBe(true);
    await store.privacy.eraseMessages({ ...change, references: [reference] });
    await store.privacy.deleteExpiredMessages([second.reference]);
    expect([await search('kw~word'), await countTexts()]).toEqual([[], 302]);
    expect(await store.messages.countStates()).toMatchObject({ new: 302, quarantined: 0 });
    await store.privacy.removeRemains();
    if (kind === 'SQLite') expect(hasTrigram()).toBe(false);
  });

  /** Of the name, in the file itself. No random key has a tilde. */
  const hasTrigram = () => readFileSync(join(database.dataDir, 'wardhouse.sqlite'), 'latin1').includes('w~w');
});

test('a search on PostgreSQL does without an extension that is not allowed', async () => {
  await using database = await (databases[1] as (typeof databases)[number]).create();
  const open = (databaseUrl: string) =>
    openStore({
      ...testConfig(database.env),
      databaseUrl,
      onError: error => expect.unreachable(error.message),
    });
  const url = new URL(database.env.DATABASE_URL as string);
  const first = await open(url.href);
  expect(first.searchWarnings).toEqual([]);
  await first.messages.add(newMessage({ reference: 'AAAAA-00001', name: 'Rhabarber' }));
  await first.close();
  const role = url.pathname.slice(1).replace('test', 'role');
  await database.query(`drop extension pg_trgm cascade; create role ${role} login;
    grant all on schema public to ${role}; grant all on all tables in schema public to ${role}`);
  url.username = role;
  const second = await open(url.href);
  expect(second.searchWarnings).toEqual([expect.stringContaining('permission denied')]);
  const found = await Array.fromAsync(second.messages.search(['abarb'], {}));
  expect(found.flat().map(({ reference }) => reference)).toEqual(['AAAAA-00001']);
  await second.close();
  await database.query(`drop owned by ${role}; drop role ${role}`);
});
