import { describe, expect, test } from 'vitest';
import { createHttpService } from './fakes/http-service.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { openTestStore } from './harness/stores.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function sendTest({ env, dataDir }: TestDatabase, more: Record<string, string> = {}) {
  // A test message needs a database that is there, as after the first start.
  await (await openTestStore({ dataDir, databaseUrl: env.DATABASE_URL, onError: () => undefined })).close();
  const { code, out, err } = await runCommand('src/apps/cli/inbox.ts', ['test-message', '--json'], {
    ...env,
    ...more,
  });
  const { reference, receivers }: { reference: string; receivers: Record<'receiver' | 'result', string>[] } =
    JSON.parse(out);
  return { code, err, reference, results: receivers.map(({ receiver, result }) => `${receiver} ${result}`) };
}

describe.each(databaseUnderTest)('a test message on $name', ({ create }) => {
  test("is delivered to every receiver, and does not count as a visitor's message", async () => {
    await using sheet = await createSheetService();
    await using smtp = await createSmtpServer();
    await using hook = await createHttpService(() => ({ status: 204 }));
    await using database = await create();
    const { code, err, reference, results } = await sendTest(database, {
      SHEET_URL: sheet.url,
      SHEET_LOOKUP_URL: `${sheet.url}rows/{reference}`,
      SMTP_URL: smtp.url,
      NOTIFY_EMAIL: 'office@example.com',
      WEBHOOK_URL: hook.url,
      WEBHOOK_SECRET: secret,
    });
    expect([code, ...results]).toEqual([0, 'sheet read back', 'mail accepted', 'webhook accepted']);
    expect(err).toContain(reference);
    expect(sheet.rows).toMatchObject([{ Reference: reference, Name: 'Test message', Email: '' }]);
    expect(smtp.mails[0]?.header('Message-ID')).toContain(reference);
    expect(hook.requests).toHaveLength(1);
    const runs = await database.query('select name from scheduled_runs');
    expect(runs).toContainEqual({ name: 'test-message' });
    expect(await database.query('select reference from messages')).toEqual([]);
    expect(await database.query('select reference from deliveries')).toEqual([]);
  });

  test('that one receiver rejects exits with 1 and the reason, and does not count as sent', async () => {
    await using sheet = await createHttpService(() => ({ status: 401 }));
    await using database = await create();
    const { code, err, results } = await sendTest(database, { SHEET_URL: sheet.url });
    expect([code, ...results]).toEqual([1, 'sheet failed', 'mail read back']);
    expect(err).toMatch(/^Error: receiver sheet failed: .*401/m);
    expect(await database.query('select name from scheduled_runs')).toEqual([]);
  });
});
