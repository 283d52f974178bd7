import { expect, test } from 'vitest';
import { createAddressMatcher } from '../src/core/address-matcher.ts';
import { cleanedTables } from '../src/core/database/storage-cleanup.ts';
import { erasePerson } from '../src/features/privacy/erase-person.ts';
import { exportPerson } from '../src/features/privacy/export-person.ts';
import { replayErasures } from '../src/features/privacy/replay-erasures.ts';
import { searchPersonalData } from '../src/features/privacy/search-personal-data.ts';
import { databases } from './harness/databases.ts';
import { findInFiles } from './harness/find-text.ts';
import { newMessage } from './harness/sample-message.ts';
import { createSiteFixture } from './harness/site-fixture.ts';
import { personalColumns } from './harness/stored-columns.ts';

/** The erasure log, and what counts requests by keyed hashes for a day: neither is of a feature. */
const ofNoFeature = ['audit', 'rate_counts'];
/** Every table with a personal column in the list that is compared with the schema. */
const tables = [...new Set(personalColumns.map(name => name.split('.')[0] as string))].filter(
  table => !ofNoFeature.includes(table),
);

const address = 'zoe@example.com';
const matcher = createAddressMatcher(address) ?? expect.unreachable();
const reference = 'AAAAA-AAAAA';
const at = '2026-01-02T00:00:00.000Z';
const yearsMs = 3 * 366 * 24 * 3_600_000;

const fixture = createSiteFixture((databases[0] as (typeof databases)[0]).create, { emptied: tables });
const { query } = fixture;

/** A row about the person in each of the tables. A new one needs its row here. */
function listRows(): Record<string, Record<string, string | number>> {
  const id = fixture.site.newsletter.keys.subscriberPseudonym(address);
  const delivery = { reference, receiver: 'sheet', kind: 'message', state: 'delivered' };
  return {
    notes: { reference, created_at: at, text: 'Called back.' },
    deliveries: { ...delivery, created_at: at, due_at: at },
    attempts: { reference, receiver: 'sheet', number: 1, ended_at: at, state: 'delivered' },
    subscribers: { id, address, state: 'pending', requested_at: at, mailed_at: at },
    sign_ups: {
      id: 's',
      subscriber: id,
      address,
      form: 'home',
      consent_text: '',
      requested_at: at,
      network: '',
    },
    tokens: { hash: 'h', subscriber: id, expires_at: at },
    audit_reports: { id: 'r', domain: 'example.com', measured_at: at, report: `"mailto:${address}"` },
  };
}

async function insertAll(): Promise<void> {
  await fixture.site.store.messages.add(newMessage({ reference, email: address, received_at: at }));
  for (const [table, row] of Object.entries(listRows())) {
    const values = Object.values(row).map(value => `'${value}'`);
    await query(`insert into ${table} (${Object.keys(row).join(', ')}) values (${values.join(', ')})`);
  }
}

/** Tables that still have a row about the person; a subscriber's pseudonym alone may stay. */
async function listLeft(): Promise<string[]> {
  const left: string[] = [];
  for (const table of tables) {
    const rows = await query(`select * from ${table}`);
    const isPseudonym = table === 'subscribers' && rows.every(row => row.address === null);
    if (rows.length > 0 && !isPseudonym) left.push(table);
  }
  return left;
}

test('each table with a personal column is of a feature, and has an example', () => {
  const registered = fixture.site.personalData.flatMap(steps => steps.tables);
  expect(tables.filter(table => !registered.includes(table))).toEqual([]);
  expect(cleanedTables.toSorted()).toEqual(tables.toSorted());
  expect(['messages', ...Object.keys(listRows())].sort()).toEqual(tables.toSorted());
});

async function describePerson(): Promise<string> {
  const { domainDeps } = fixture.site;
  const found = await searchPersonalData(domainDeps, matcher, [reference]);
  const listed = found.parts.map(({ findings, json }) => ({ findings, json }));
  const about = { address, createdAt: at, from: {} };
  return JSON.stringify([listed, await exportPerson(domainDeps, found, about)]);
}

test.each(tables)('rows of %s are found or exported', async table => {
  await insertAll();
  const whole = await describePerson();
  await query(`delete from ${table}`);
  expect(await describePerson()).not.toBe(whole);
});

test('rows of each table are erased', async () => {
  await insertAll();
  expect(await listLeft()).toEqual(tables);
  const { isDone } = await erasePerson(fixture.site.domainDeps, matcher);
  expect([isDone, await listLeft()]).toEqual([true, []]);
});

test('an erasure is repeated in each table of a backup', async () => {
  await insertAll();
  const { domainDeps, erasureLog, clock } = fixture.site;
  const hash = erasureLog.hashAddress(address);
  const entry = { hash, action: 'erase' as const, done_at: clock.now().toISOString(), counts: '{}' };
  await replayErasures({ ...domainDeps, hashers: [erasureLog] }, [entry]);
  expect(await listLeft()).toEqual([]);
});

test('rows of each table expire', async () => {
  await insertAll();
  fixture.now += yearsMs;
  const { signal } = new AbortController();
  for (const { expire } of fixture.site.personalData) for (const job of expire) await job.run(signal);
  expect(await listLeft()).toEqual([]);
});

test('each file that a receiver writes is a feature’s, and is erased', async () => {
  const { receivers, domainDeps } = fixture.site;
  const { dataDir } = fixture.database;
  const attempt = { isPossibleDuplicate: false, signal: AbortSignal.timeout(60_000) };
  const message = newMessage({ email: address, received_at: at });
  for (const receiver of receivers)
    await receiver.deliver({ ...message, kind: 'message', receivedAt: message.received_at }, attempt);
  const files = findInFiles(dataDir, address).filter(path => !path.includes('.sqlite'));
  expect(files).toHaveLength(receivers.length);
  const { copies } = await searchPersonalData(domainDeps, matcher);
  expect(copies.map(({ path }) => path).sort()).toEqual(files.sort());
  expect(copies.map(({ kind }) => kind)).not.toContain('unmanaged file');
  expect((await erasePerson(domainDeps, matcher)).isDone).toBe(true);
  expect(findInFiles(dataDir, address)).toEqual([]);
});
