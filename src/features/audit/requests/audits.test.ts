import { expect, test } from 'vitest';
import { databases } from '../../../../tests/harness/databases.ts';
import { openTwoStores } from '../../../../tests/harness/stores.ts';
import { createAudits } from './audits.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 2) + hour * 3_600_000).toISOString();

test.each(databases)(
  'an audit report on $name goes with its last link, but not while it is new',
  async db => {
    const { store, database, close } = await openTwoStores(db.create);
    const { add, addLink, deleteLink, deleteExpired } = createAudits(store.db);
    const ids = async () =>
      (await database.query('select id from audit_reports order by id')).map(row => row.id);
    for (const [id, hour] of Object.entries({ shared: 1, expired: 1, fresh: 9 }))
      await add({ id, domain: 'a.com', measured_at: at(hour), report: '{}' });
    for (const [hash, report] of Object.entries({ one: 'shared', other: 'shared', old: 'expired' }))
      await addLink({ hash, report, created_at: at(0), expires_at: at(hash === 'old' ? 10 : 20) });
    expect(await deleteExpired(at(10), at(8))).toEqual({ links: 1, reports: 1 });
    expect([await deleteLink('one'), await ids()]).toEqual([undefined, ['fresh', 'shared']]);
    const erased = { domain: 'a.com', measured_at: at(1) };
    expect([await deleteLink('one'), await deleteLink('other')]).toEqual([undefined, erased]);
    expect(await ids()).toEqual(['fresh']);
    await close();
  },
);

test('PostgreSQL keeps no sample of an erased report, and says that its dead rows remain', async () => {
  const { store, database, close } = await openTwoStores((databases[1] as (typeof databases)[1]).create);
  const { add, deleteReports } = createAudits(store.db);
  const address = 'zoe@example.com';
  for (const [id, quoted] of Object.entries({ erased: address, other: 'bob@example.com' }))
    await add({ id, domain: 'a.com', measured_at: at(1), report: `{"contact":"${quoted}"}` });
  await database.query('analyze');
  const isSampled = async () =>
    JSON.stringify(await database.query('select histogram_bounds::text from pg_stats')).includes(address);
  expect(await isSampled()).toBe(true);
  await deleteReports(['erased']);
  const cleanup = await store.storage.cleanUp({ address, references: new Set() });
  expect(await isSampled()).toBe(false);
  expect(cleanup).toMatchObject({
    samples: [],
    tables: expect.arrayContaining([expect.objectContaining({ name: 'audit_reports' })]),
  });
  await close();
});
