import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../../tests/harness/databases.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { collectLog, testConfig } from '../../../tests/harness/site.ts';
import { bringToState, verbDeps } from '../../../tests/harness/subscribers.ts';
import { readErasures } from '../../server/erasure-ledger.ts';
import { type Services, wire } from '../../server/wire.ts';
import { type AddressMatcher, createAddressMatcher } from './address-matcher.ts';
import { erasePerson } from './erase-person.ts';
import { eraseSubscriberData } from './erase-subscriber-data.ts';
import { searchPersonalData } from './search-personal-data.ts';

const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };

describe.each(databaseUnderTest)('a person is erased on $name', ({ create }) => {
  let database: TestDatabase;
  let site: Services;
  beforeAll(async () => {
    database = await create();
    site = await wire(testConfig(database.env), collectLog());
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const deps = () => {
    const { store, copies, newsletter, audit, ledger, clock } = site;
    const { privacy, subscribers } = store;
    return { privacy, subscribers, copies, newsletter: newsletter.pseudonyms, audit, ledger, clock };
  };
  const sheet = () => site.receivers[0] as Services['receivers'][number];
  const rows = () => {
    const file = join(database.dataDir, 'messages.csv');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const later = () => new Date(Date.now() + 60_000).toISOString();

  test('also from deliveries in progress', async () => {
    const message = newMessage({ email: 'ann@example.com', message: 'in flight', receivers: ['sheet'] });
    await site.store.messages.add(message);
    const now = new Date().toISOString();
    const [delivery] = await site.store.outbox.claim({
      ...{ receiver: 'sheet', now, lease: 'l', leaseUntil: later(), limit: 1 },
    });
    const erasing = erasePerson(deps(), createAddressMatcher('ann@example.com') as AddressMatcher);
    // The worker has read the message, and writes its copy after the message was erased.
    await expect.poll(() => site.store.messages.get(message.reference)).toBeUndefined();
    await sheet().deliver({ ...message, kind: 'message', receivedAt: message.received_at }, attempt);
    expect(rows()).toContain('in flight');
    const settlement = { state: 'delivered', attempts: 1, isPossibleDuplicate: false, now } as const;
    expect(await site.store.outbox.settle(delivery as NonNullable<typeof delivery>, settlement)).toBe(true);
    const { isDone, activeLeases } = await erasing;
    expect([isDone, activeLeases]).toEqual([true, []]);
    expect(rows()).not.toContain('in flight');
    expect(await database.query('select * from deliveries')).toEqual([]);
    expect(await database.query('select * from attempts')).toEqual([]);
  });

  test("but not from later messages, nor from another person's longer address", async () => {
    const [before, unnamed, after, other] = [
      newMessage({ email: 'bob@example.com' }),
      // Some put their address into the field for the name.
      newMessage({ email: '', name: 'Bob@example.com' }),
      newMessage({ email: 'bob@example.com', received_at: later() }),
      newMessage({ email: 'jim.bob@example.com', message: 'bob@example.com.au' }),
    ];
    for (const one of [before, unnamed, after, other]) {
      await site.store.messages.add(one);
      await sheet().deliver({ ...one, kind: 'message', receivedAt: one.received_at }, attempt);
    }
    const { counts, remaining, isDone } = await erasePerson(
      deps(),
      createAddressMatcher('bob@example.com') as AddressMatcher,
    );
    expect([isDone, counts.messages, counts.rows]).toEqual([true, 2, 2]);
    expect(remaining.messages.map(({ reference }) => reference)).toEqual([after.reference]);
    expect(await site.store.messages.get(other.reference)).toMatchObject({ message: 'bob@example.com.au' });
    expect(rows()).not.toContain(before.reference);
    expect(rows()).toContain(after.reference);
    expect(rows()).toContain('jim.bob@example.com');
  });

  test('and nothing is changed if the ledger cannot be written first', async () => {
    const message = newMessage({ email: 'eve@example.com' });
    await site.store.messages.add(message);
    const ledger = { append: () => Promise.reject(new Error('the disk is full')) };
    const erasing = erasePerson(
      { ...deps(), ledger },
      createAddressMatcher('eve@example.com') as AddressMatcher,
    );
    await expect(erasing).rejects.toThrow('the disk is full');
    expect(await site.store.messages.get(message.reference)).toBeDefined();
  });

  test('and an unknown file is reported, and not changed', async () => {
    mkdirSync(join(database.dataDir, 'mail-kept'), { recursive: true });
    mkdirSync(join(database.dataDir, 'mail'), { recursive: true });
    // Some are called almost like our own.
    const files = [
      'list.csv',
      'mail-kept/2026-01-01T000000-AAAAA-00000.eml',
      'mail/to keep.eml',
      'messages.csv-old',
      'messages.csv.bak',
      'wardhouse.sqlite.bak',
    ].map(name => join(database.dataDir, name));
    for (const file of files) writeFileSync(file, 'Eve <EVE@example.com>');
    const { isDone, remaining } = await erasePerson(
      deps(),
      createAddressMatcher('eve@example.com') as AddressMatcher,
    );
    expect(isDone).toBe(false);
    expect(remaining.copies.map(({ kind }) => kind)).toEqual(files.map(() => 'file'));
    expect(remaining.copies.map(({ place }) => place).sort()).toEqual(files.sort());
    for (const file of files) expect(readFileSync(file, 'utf8')).toContain('EVE@');
    // Among our own mails as well, however it is encoded.
    const mails = ['plain', 'quoted', 'base64'].map(name => join(database.dataDir, 'mail', `${name}.eml`));
    const body = Buffer.from(`${'x'.repeat(50)} eve@example.com, ${'y'.repeat(80)}`).toString('base64');
    const bodies = ['eve@example.com', 'eve=40exam=\r\nple.com', body.replaceAll(/.{76}/g, '$&\r\n')];
    for (const [index, text] of bodies.entries()) {
      writeFileSync(mails[index] as string, `Subject: x\r\n\r\n${text}\r\n`);
    }
    const { copies } = await searchPersonalData(
      deps(),
      createAddressMatcher('eve@example.com') as AddressMatcher,
    );
    expect(copies.map(({ place }) => place).sort()).toEqual([...files, ...mails].sort());
  });

  test('from the newsletter alone, with a ledger entry that survives a restore', async () => {
    const noted = async () =>
      (await readErasures(site.ledger.place)).rows.map(({ action }) => action).filter(one => one !== 'erase');
    expect(await eraseSubscriberData(deps(), 'unknown@example.com')).toEqual({ kind: 'unknown' });
    expect(await eraseSubscriberData(deps(), 'no address')).toEqual({ kind: 'impossible' });
    expect(await noted()).toEqual([]);
    await bringToState(verbDeps(site), 'fay@example.com', 'confirmed');
    expect(await eraseSubscriberData(deps(), 'Fay@example.com')).toEqual({ kind: 'erased' });
    expect(await eraseSubscriberData(deps(), 'fay@example.com')).toEqual({ kind: 'unknown' });
    expect(await noted()).toEqual(['erase-newsletter']);
    expect(await site.store.privacy.listAudit(site.audit.ofAddress('fay@example.com'))).toHaveLength(1);
  });
});
