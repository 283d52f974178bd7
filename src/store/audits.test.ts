import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { openTwoStores } from '../../tests/harness/stores.ts';
import type { Audits } from './audits.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 2) + hour * 3_600_000).toISOString();
const report = (id: string, hour: number, domain = 'a.com') => ({
  ...{ id, domain, measured_at: at(hour), report: '{}' },
});
const link = (hash: string, id: string, expires: number) => ({
  ...{ hash, report: id, created_at: at(0), expires_at: at(expires) },
});

describe.each(databases)('audit reports on $name', ({ create }) => {
  let database: TestDatabase;
  let audits: Audits;

  beforeAll(async () => {
    const { close, ...opened } = await openTwoStores(create);
    database = opened.database;
    audits = opened.store.audits;
    return close;
  });
  beforeEach(async () => {
    for (const table of ['audit_reports', 'audit_links']) await database.query(`delete from ${table}`);
  });
  const ids = async () =>
    (await database.query('select id from audit_reports order by id')).map(row => row.id);

  test('the latest of a domain is found, and none that is too old', async () => {
    for (const row of [report('old', 1), report('new', 2), report('other', 3, 'b.com')])
      await audits.add(row);
    expect(await audits.getLatest('a.com', at(0))).toEqual(report('new', 2));
    expect(await audits.getLatest('a.com', at(2))).toBeUndefined();
    expect(await audits.get('old')).toEqual(report('old', 1));
  });

  test('a link opens its report until it expires; the last one takes the report with it', async () => {
    await audits.add(report('r', 1));
    for (const row of [link('one', 'r', 5), link('two', 'r', 9)]) await audits.addLink(row);
    expect(await audits.getByLink('one', at(4))).toEqual(report('r', 1));
    expect(await audits.getByLink('one', at(5))).toBeUndefined();
    expect(await audits.getByLink('none', at(4))).toBeUndefined();
    expect(await audits.deleteLink('one')).toBe(true);
    expect(await ids()).toEqual(['r']);
    expect([await audits.deleteLink('one'), await audits.deleteLink('two')]).toEqual([false, true]);
    expect(await ids()).toEqual([]);
  });

  test('expiry deletes old links, and reports without a link that answer no visitor any more', async () => {
    for (const row of [report('linked', 1), report('expired', 1), report('unlinked', 1), report('fresh', 9)])
      await audits.add(row);
    for (const row of [link('one', 'linked', 20), link('two', 'expired', 10)]) await audits.addLink(row);
    expect(await audits.deleteExpired(at(10), at(8))).toEqual({ links: 1, reports: 2 });
    expect(await ids()).toEqual(['fresh', 'linked']);
  });
});
