import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databases } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { collectLog, testConfig } from '../../../tests/harness/site.ts';
import { wire } from '../../server/wire.ts';
import { type AddressMatcher, createAddressMatcher } from './address-matcher.ts';
import { rectifyPerson } from './rectify-person.ts';
import { searchPersonalData } from './search-personal-data.ts';

test('the old values are in no file, including the WAL', async () => {
  const database = await (databases[0] as (typeof databases)[0]).create();
  try {
    await using site = await wire(testConfig(database.env), collectLog());
    const { store, copies, newsletter, audit, clock, ids } = site;
    const { privacy, signUps, subscribers } = store;
    const deps = {
      privacy,
      signUps,
      subscribers,
      copies,
      newsletter: newsletter.pseudonyms,
      audit,
      clock,
      ids,
    };
    const message = newMessage({
      name: 'Misspelt',
      email: 'wrong@example.com',
      receivers: ['sheet', 'mail'],
    });
    await store.messages.add(message);
    const payload = { ...message, kind: 'message', receivedAt: message.received_at } as const;
    const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
    for (const receiver of site.receivers) await receiver.deliver(payload, attempt);
    expect(holding(database.dataDir, 'Misspelt').length).toBeGreaterThan(2);

    const matcher = createAddressMatcher('wrong@example.com') as AddressMatcher;
    const change = { name: 'Right', email: 'right@example.com' };
    const found = await searchPersonalData(deps, matcher);
    const done = await rectifyPerson({ ...deps, wake: () => undefined }, matcher, found, change);
    expect(done).toMatchObject({ messages: 1, rows: 1, mails: 1, cleanup: { isEmpty: true } });
    expect(holding(database.dataDir, 'Misspelt')).toEqual([]);
    expect(holding(database.dataDir, 'wrong@example')).toEqual([]);
    expect(holding(database.dataDir, 'right@example').length).toBeGreaterThan(2);
    expect(await privacy.listAudit(audit.ofAddress('wrong@example.com'))).toMatchObject([
      { action: 'rectify' },
    ]);
  } finally {
    await database.remove();
  }
});

function holding(dataDir: string, words: string): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => readFileSync(file, 'latin1').includes(words));
}
