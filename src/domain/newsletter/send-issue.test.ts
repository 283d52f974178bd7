import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseUnderTest, type TestDatabase } from '../../../tests/harness/databases.ts';
import { collectLog, testConfig } from '../../../tests/harness/site.ts';
import { addSubscribers } from '../../../tests/harness/subscribers.ts';
import { type Services, wire } from '../../server/wire.ts';
import { prepareIssue, sendIssue } from './send-issue.ts';

const at = '2026-01-02T00:00:00.000Z';
const issue = { name: 'january', digest: 'one', subject: 'January', html: '<p>One', text: 'One' };
const again = { resendUnconfirmed: false, resendFailed: false };

describe.each(databaseUnderTest)('sending an issue on $name', ({ create }) => {
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

  const confirm = (id: string) =>
    addSubscribers(database, [
      { id, state: 'confirmed', address: `${id}@example.com`, consent_requested_at: at, confirmed_at: at },
    ]);

  test('adds later subscribers, but none to a different text that took the name meanwhile', async () => {
    const { domainDeps } = site;
    await confirm('ada');
    expect(await prepareIssue(domainDeps, issue)).toMatchObject({ kind: 'ready', confirmed: 1 });
    expect(await sendIssue(domainDeps, { ...issue, ...again })).toMatchObject({ added: 1 });
    await confirm('bob');
    const other = { ...issue, digest: 'two', text: 'Two' };
    expect(await sendIssue(domainDeps, { ...other, ...again })).toMatchObject({ added: 0 });
    expect(await prepareIssue(domainDeps, other)).toMatchObject({ kind: 'different text' });
    expect(await sendIssue(domainDeps, { ...issue, ...again })).toMatchObject({ added: 1 });
  });
});
