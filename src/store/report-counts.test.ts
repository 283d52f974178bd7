import { expect, test } from 'vitest';
import { databases } from '../../tests/harness/databases.ts';
import { addReportData, filledWeeks } from '../../tests/harness/report.ts';
import { openTwoStores } from '../../tests/harness/stores.ts';

const { monday, next } = filledWeeks;

test.each(databases)('the figures of a week on $name', async ({ create }) => {
  const { store, database, close } = await openTwoStores(create);
  const { reportCounts } = store;
  await addReportData(database);
  // A service that is not ours may be a visitor's own words.
  const rows = await reportCounts.countMessages(monday, next, ['Data Security']);
  expect(rows.map(({ state, service, count }) => `${state} ${service} ${count}`).sort()).toEqual([
    ...[
      'answered Data Security 1',
      'empty  1',
      'new Data Security 1',
      'new null 1',
      'quarantined  1',
      'spam  1',
    ],
  ]);
  const times = await reportCounts.countDeliveryTimes('sheet', monday, next);
  expect(times.sort((a, b) => a.seconds - b.seconds)).toEqual([
    { seconds: 0, count: 1 },
    { seconds: 0.5, count: 1 },
  ]);
  expect(await reportCounts.findLastDelivered('sheet')).toMatch(/T13:30:10\.000Z$/);
  expect(await reportCounts.countAnswerTimes(monday, next)).toEqual([{ seconds: 7.5 * 24 * 3600, count: 1 }]);
  expect(await reportCounts.countAudits()).toHaveLength(2);
  expect(await reportCounts.countQueues(['sheet', 'mail', 'nobody'])).toMatchObject([
    { receiver: 'sheet', waiting: 1, failed: 0, oldest: expect.stringMatching(/T23:59:59\.999Z$/) },
    { receiver: 'mail', waiting: 1, failed: 1 },
    { receiver: 'nobody', waiting: 0, failed: 0, oldest: undefined },
  ]);
  await close();
});
