import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { databases, databaseUnderTest } from '../../../tests/harness/databases.ts';
import { findInFiles } from '../../../tests/harness/find-text.ts';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import type { WiredSite } from '../../../tests/harness/site.ts';
import { createSiteFixture } from '../../../tests/harness/site-fixture.ts';
import { bringToState, verbDeps } from '../../../tests/harness/subscribers.ts';
import { type AddressMatcher, createAddressMatcher } from '../../core/address-matcher.ts';
import { systemClock } from '../../core/clock.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { describeCounts } from '../../lib/describe-counts.ts';
import { audit } from '../audit/feature.ts';
import { eraseSubscriber } from '../newsletter/erase-subscriber.ts';
import { findingsToJson } from './actions/find-person.ts';
import { erasePerson } from './erase-person.ts';
import { readErasures } from './erasure-log.ts';
import { listFindings } from './list-findings.ts';
import { planRectification, rectifyPerson } from './rectify-person.ts';
import { isNothingFound, searchPersonalData } from './search-personal-data.ts';

const matcherOf = (address: string) => createAddressMatcher(address) as AddressMatcher;
const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };

describe.each(databaseUnderTest)('a person is erased on $name', ({ create }) => {
  const fixture = createSiteFixture(create, { overrides: { clock: systemClock } });
  const { query } = fixture;

  const deps = () => fixture.site.domainDeps;
  const erase = (address: string) => erasePerson(deps(), matcherOf(address));
  const sheet = () => fixture.site.receivers[0] as WiredSite['receivers'][number];
  const rows = () => {
    const file = join(fixture.database.dataDir, 'messages.csv');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const later = () => new Date(Date.now() + 60_000).toISOString();

  test('also from deliveries in progress', async () => {
    const message = newMessage({ email: 'ann@example.com', message: 'in flight', receivers: ['sheet'] });
    await fixture.site.store.messages.add(message);
    const now = new Date().toISOString();
    const claim = { receiver: 'sheet', now, lease: 'l', leaseUntil: later(), limit: 1 };
    const [delivery] = await fixture.site.store.outbox.claim(claim);
    const erasing = erase('ann@example.com');
    // The worker has read the message, and writes its copy after the message was erased.
    await expect.poll(() => fixture.site.store.messages.get(message.reference)).toBeUndefined();
    await sheet().deliver({ ...message, kind: 'message', receivedAt: message.received_at }, attempt);
    expect(rows()).toContain('in flight');
    const settlement = { state: 'delivered', attempts: 1, isPossibleDuplicate: false, now } as const;
    expect(await fixture.site.store.outbox.settle(delivery as Delivery, settlement)).toBe(true);
    const { isDone, activeLeases } = await erasing;
    expect([isDone, activeLeases]).toEqual([true, []]);
    expect(rows()).not.toContain('in flight');
    expect(await query('select * from deliveries')).toEqual([]);
    expect(await query('select * from attempts')).toEqual([]);
  });

  test('also from audit reports that quote the address, and from no others', async () => {
    const { audits } = fixture.site.started.get(audit);
    const add = async (id: string, address: string) => {
      const report = JSON.stringify({ evidence: [`Contact: mailto:${address}`] });
      await audits.add({ id, domain: `${id}.example`, measured_at: '2026-01-01', report });
      await audits.addLink({ hash: id, report: id, created_at: '2026-01-01', expires_at: later() });
    };
    await add('own', 'Ida@example.com');
    await add('other', 'frida@example.com');
    const found = await searchPersonalData(deps(), matcherOf('ida@example.com'));
    expect(findingsToJson(found).reports).toEqual([{ domain: 'own.example', measuredAt: '2026-01-01' }]);
    expect(isNothingFound(found)).toBe(false);
    expect([...listFindings(found, '')]).toMatchObject([
      { what: 'audit report, mention', words: 'own.example' },
    ]);
    const { counts, isDone } = await erase('ida@example.com');
    expect([counts.reports, isDone]).toEqual([1, true]);
    expect(describeCounts(counts)).toBe('1 audit report');
    const [entry] = (await searchPersonalData(deps(), matcherOf('ida@example.com'))).log;
    expect(JSON.parse(entry?.counts ?? '')).toMatchObject({ reports: 1 });
    expect([await audits.get('own'), (await audits.get('other'))?.id]).toEqual([undefined, 'other']);
    expect(await query("select * from audit_links where report = 'own'")).toEqual([]);
  });

  test('also from notes: their own go, and notes about others lose the address', async () => {
    const { messages } = fixture.site.store;
    const [own, other] = [newMessage({ email: 'eve@example.com' }), newMessage({ email: 'dan@example.com' })];
    for (const one of [own, other]) await messages.add(one);
    await messages.addNote(own.reference, 'Called back.', later());
    await messages.addNote(other.reference, 'Copy to Eve@example.com, please.', later());
    const found = findingsToJson(await searchPersonalData(deps(), matcherOf('eve@example.com')));
    expect(found.notes).toMatchObject([{ text: 'Called back.' }]);
    expect(found.mentions).toMatchObject([{ reference: other.reference }]);
    expect((await erase('eve@example.com')).isDone).toBe(true);
    expect(await messages.listNotes([own.reference, other.reference])).toMatchObject([
      { reference: other.reference, text: 'Copy to [erased], please.' },
    ]);
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
      await fixture.site.store.messages.add(one);
      await sheet().deliver({ ...one, kind: 'message', receivedAt: one.received_at }, attempt);
    }
    const { counts, remaining, isDone } = await erase('bob@example.com');
    expect([isDone, counts.messages, counts.rows]).toEqual([true, 2, 2]);
    expect(findingsToJson(remaining).messages).toMatchObject([{ reference: after.reference }]);
    expect(await fixture.site.store.messages.get(other.reference)).toMatchObject({
      message: 'bob@example.com.au',
    });
    expect(rows()).not.toContain(before.reference);
    expect(rows()).toContain(after.reference);
    expect(rows()).toContain('jim.bob@example.com');
  });

  test('and nothing is changed if the erasure log cannot be written first', async () => {
    const message = newMessage({ email: 'eve@example.com' });
    await fixture.site.store.messages.add(message);
    const append = () => Promise.reject(new Error('the disk is full'));
    const erasureLog = { ...deps().erasureLog, append };
    const erasing = erasePerson({ ...deps(), erasureLog }, matcherOf('eve@example.com'));
    await expect(erasing).rejects.toThrow('the disk is full');
    expect(await fixture.site.store.messages.get(message.reference)).toBeDefined();
  });

  test('and an unknown file is reported, and not changed', async () => {
    const { dataDir } = fixture.database;
    for (const folder of ['mail', 'mail-kept']) mkdirSync(join(dataDir, folder), { recursive: true });
    // Some are called almost like our own.
    const files = [
      ...['list.csv', 'mail-kept/2026-01-01T000000-AAAAA-00000.eml', 'mail/to keep.eml'],
      ...['messages.csv-old', 'messages.csv.bak', 'wardhouse.sqlite.bak'],
    ].map(name => join(dataDir, name));
    for (const file of files) writeFileSync(file, 'Eve <EVE@example.com>');
    const { isDone, remaining } = await erase('eve@example.com');
    expect(isDone).toBe(false);
    expect(remaining.copies.map(({ kind }) => kind)).toEqual(files.map(() => 'unmanaged file'));
    expect(remaining.copies.map(({ path }) => path).sort()).toEqual(files.sort());
    for (const file of files) expect(readFileSync(file, 'utf8')).toContain('EVE@');
  });

  test('from the newsletter alone, with an entry of the erasure log that survives a restore', async () => {
    const noted = async () =>
      (await readErasures(fixture.site.erasureLog.path)).rows
        .map(({ action }) => action)
        .filter(one => one === 'erase-newsletter');
    expect(await eraseSubscriber(deps(), 'unknown@example.com')).toEqual({ kind: 'unknown' });
    expect(await eraseSubscriber(deps(), 'no address')).toEqual({ kind: 'invalid address' });
    expect(await noted()).toEqual([]);
    await bringToState(verbDeps(fixture.site), 'fay@example.com', 'confirmed');
    expect(await eraseSubscriber(deps(), 'Fay@example.com')).toEqual({ kind: 'erased' });
    expect(await eraseSubscriber(deps(), 'fay@example.com')).toEqual({ kind: 'unknown' });
    expect(await noted()).toEqual(['erase-newsletter']);
    const { erasureLog } = fixture.site;
    expect(await erasureLog.list(erasureLog.hashAddress('fay@example.com'))).toHaveLength(1);
  });
});

const rectified = createSiteFixture((databases[0] as (typeof databases)[0]).create);

test('rectified values are in no file, including the WAL', async () => {
  const { store, erasureLog, receivers, domainDeps: deps } = rectified.site;
  const { dataDir } = rectified.database;
  const about = { name: 'Misspelt', email: 'wrong@example.com', receivers: ['sheet', 'mail'] };
  const message = newMessage(about);
  await store.messages.add(message);
  const payload = { ...message, kind: 'message', receivedAt: message.received_at } as const;
  for (const receiver of receivers) await receiver.deliver(payload, attempt);
  expect(findInFiles(dataDir, 'Misspelt').length).toBeGreaterThan(2);

  const matcher = matcherOf('wrong@example.com');
  const change = { name: 'Right', email: 'right@example.com' };
  const plan = await planRectification(deps, matcher, { change, reference: undefined });
  const parts = 'parts' in plan ? plan.parts : expect.unreachable();
  const done = await rectifyPerson(deps, matcher, parts);
  expect(done).toMatchObject({ json: { messages: 1, rows: 1, mails: 1 }, cleanup: { isClean: true } });
  expect(findInFiles(dataDir, 'Misspelt')).toEqual([]);
  expect(findInFiles(dataDir, 'wrong@example')).toEqual([]);
  expect(findInFiles(dataDir, 'right@example').length).toBeGreaterThan(2);
  expect(await erasureLog.list(erasureLog.hashAddress('wrong@example.com'))).toMatchObject([
    { action: 'rectify' },
  ]);
});
