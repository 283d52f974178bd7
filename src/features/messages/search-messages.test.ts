import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { openTwoStores } from '../../../tests/harness/stores.ts';
import type { MessageRow } from '../../core/database/tables.ts';
import { foldText } from '../../lib/fold-text.ts';
import { pickMessageFields } from './message-fields.ts';
import type { NewMessage } from './messages.ts';
import type { MessageFilter } from './select-messages.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

const sent = (number: number, about: Partial<NewMessage>) =>
  newMessage({ reference: `AAAAA-0000${number}`, received_at: at(number), ...about });

/** The oldest of them all, and so in the last range that a search reads. */
const searched = [
  sent(1, { name: 'Jörg MÜLLER', state: 'quarantined' }),
  sent(2, { message: '100% of a_b, \\ and "quoted"' }),
  sent(3, { message: 'Rhabarber\nfür alle 𝒳𝒴𝒵 中文字符' }),
  sent(4, { service: 'Rhabarber', email: 'ann+x@example.org' }),
];
const newer = Array.from({ length: 700 }, (_, index) =>
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
  const isOwn = (reference: string) => reference.startsWith('AAAAA');

  test('finds every message in each of its ranges, the newest first', async () => {
    for (const [query, found, filter] of cases) {
      const references = (await search(query, filter)).filter(isOwn);
      expect([query, references]).toEqual([query, Array.from(found, end => `AAAAA-0000${end}`)]);
    }
    expect(await search('boiler')).toEqual(newer.toReversed().map(({ reference }) => reference));
    const pages = store.messages.search(['boiler'], {}, { order: 'oldest', after: newer[99] as NewMessage });
    const [first] = (await pages.next()).value as MessageRow[];
    expect(first).toEqual(await store.messages.get(newer[100]?.reference as string));
  });

  test('holds back no checkpoint between its ranges', async () => {
    const pages = other.messages.search(['boiler'], {});
    await pages.next();
    expect(await store.storage.cleanUp()).toMatchObject(
      kind === 'SQLite' ? { isClean: true } : { kind: 'postgres' },
    );
    await pages.next();
  });

  test('follows every change, and finds nothing of what is erased', async () => {
    const change = { references: [], redacted: [], notes: [], notices: [] };
    const [first, second] = searched as [NewMessage, NewMessage];
    const { reference } = first;
    await store.messages.rectifyMessages([reference], { name: 'Kw~Word' });
    expect([await search('muller'), await search('kw~word')]).toEqual([[], [reference]]);
    const redacted = [{ ...pickMessageFields(second), reference: second.reference, message: 'Kw~Word' }];
    const notes = [{ reference, created_at: at(500), text: 'Asked' }];
    await store.messages.eraseMessages({ ...change, redacted, notes });
    expect([await search('quoted'), await search('noted')]).toEqual([[], []]);
    expect(await search('asked')).toEqual([reference]);
    expect(await search('kw~word')).toEqual([second.reference, reference]);

    await store.storage.cleanUp();
    if (kind === 'SQLite') expect(isInFile()).toBe(true);
    await store.messages.eraseMessages({ ...change, references: [reference] });
    await store.messages.deleteExpiredMessages([second.reference]);
    expect(await search('kw~word')).toEqual([]);
    expect(await store.messages.countStates()).toMatchObject({ new: 702, quarantined: 0 });
    await store.storage.removeRemains();
    if (kind === 'SQLite') expect(isInFile()).toBe(false);
  });

  /** The folded name. No random key has a tilde. */
  const isInFile = () =>
    readFileSync(join(database.dataDir, 'wardhouse.sqlite'), 'latin1').includes('kw~word');
});
