import { expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { openTwoStores } from '../../tests/harness/stores.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 2) + hour * 3_600_000).toISOString();
const report = (id: string, hour: number, domain = 'a.com') => ({
  ...{ id, domain, measured_at: at(hour), report: '{}' },
});
const link = (hash: string, id: string, expires: number) => ({
  ...{ hash, report: id, created_at: at(0), expires_at: at(expires) },
});

test.each(databases)(
  'an audit report on $name is found while it is new or has a link, and then goes',
  async ({ create }) => {
    const { store, database, close } = await openTwoStores(create);
    const { audits } = store;
    const ids = async () =>
      (await database.query('select id from audit_reports order by id')).map(row => row.id);
    for (const row of [report('old', 1), report('new', 2), report('other', 9, 'b.com')])
      await audits.add(row);
    expect(await audits.getLatest('a.com', at(0))).toEqual(report('new', 2));
    expect(await audits.getLatest('a.com', at(2))).toBeUndefined();
    expect(await audits.get('old')).toEqual(report('old', 1));

    for (const row of [link('one', 'old', 5), link('two', 'old', 9)]) await audits.addLink(row);
    expect(await audits.getByLink('one', at(4))).toEqual(report('old', 1));
    expect(await audits.getByLink('one', at(5))).toBeUndefined();
    expect(await audits.getByLink('none', at(4))).toBeUndefined();
    expect(await audits.deleteLink('one')).toBe(true);
    expect(await ids()).toEqual(['new', 'old', 'other']);
    // The last link takes its report with it.
    expect([await audits.deleteLink('one'), await audits.deleteLink('two')]).toEqual([false, true]);
    expect(await ids()).toEqual(['new', 'other']);

    for (const row of [report('linked', 1), report('expired', 1)]) await audits.add(row);
    for (const row of [link('three', 'linked', 20), link('four', 'expired', 10)]) await audits.addLink(row);
    expect(await audits.deleteExpired(at(10), at(8))).toEqual({ links: 1, reports: 2 });
    expect(await ids()).toEqual(['linked', 'other']);
    await close();
  },
);
