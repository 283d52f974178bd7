import { beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { addReportData, filledWeeks } from '../../tests/harness/report.ts';
import { openTwoStores } from '../../tests/harness/stores.ts';
import type { Store } from './open-store.ts';

const { monday, next } = filledWeeks;

describe.each(databases)('figures on $name', ({ create }) => {
  let store: Store;

  beforeAll(async () => {
    const opened = await openTwoStores(create);
    store = opened.store;
    await addReportData(opened.database);
    return opened.close;
  });

  test('count messages of a week by state and by service, without unknown service names', async () => {
    const rows = await store.reportCounts.countMessages(monday, next, ['Data Security']);
    expect(rows.map(({ state, service, count }) => `${state} ${service} ${count}`).sort()).toEqual([
      'answered Data Security 1',
      'empty  1',
      'new Data Security 1',
      'new null 1',
      'quarantined  1',
      'spam  1',
    ]);
  });

  test('list how long deliveries took', async () => {
    const times = await store.reportCounts.countDeliveryTimes('sheet', monday, next);
    expect(times.sort((a, b) => a.seconds - b.seconds)).toEqual([
      { seconds: 0, count: 1 },
      { seconds: 0.5, count: 1 },
    ]);
    expect(await store.reportCounts.findLastDelivered('sheet')).toMatch(/T13:30:10\.000Z$/);
    expect(await store.reportCounts.findLastDelivered('webhook')).toBe(undefined);
  });

  test('list how long answers took, and count audits by day', async () => {
    expect(await store.reportCounts.countAnswerTimes(monday, next)).toEqual([
      { seconds: 7.5 * 24 * 3600, count: 1 },
    ]);
    expect(await store.reportCounts.countAudits()).toHaveLength(2);
  });

  test('of queues contain waiting deliveries, their age and failed deliveries', async () => {
    const [sheet, mail, nobody] = await store.reportCounts.countQueues(['sheet', 'mail', 'nobody']);
    expect(sheet).toMatchObject({ receiver: 'sheet', waiting: 1, failed: 0 });
    expect(sheet?.oldest).toMatch(/T23:59:59\.999Z$/);
    expect(mail).toMatchObject({ waiting: 1, failed: 1 });
    expect(nobody).toEqual({ receiver: 'nobody', waiting: 0, failed: 0, oldest: undefined });
  });
});
