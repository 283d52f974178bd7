import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contactPath } from '../src/features/messages/contract.ts';
import { runCommand, runProcess } from './harness/command.ts';
import { databases, databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { postJson } from './harness/requests.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, startSite, type TestSite, testConfig, wireSite } from './harness/site.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

// Each of these starts a few processes.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const address = 'zoe@example.com';
const words = {
  name: 'Zoë Unmistakable',
  email: 'Zoe@Example.com',
  message: `Nobody else says pomegranate. Please write to ${address}, or call about the long line that a mail breaks in two.`,
  service: '',
};

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-rights-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(databaseUnderTest)('npm run privacy on $name, beside a server', ({ create }) => {
  let database: TestDatabase;
  let site: TestSite;
  /** The message of another person that mentions the address. */
  let other: string;
  beforeAll(async () => {
    database = await create();
    site = await startSite(database.env);
    const received_at = new Date(Date.now() - 120_000).toISOString();
    const quarantined = { ...words, message: 'tamarind', state: 'quarantined', received_at } as const;
    await site.store.messages.add(newMessage({ ...quarantined, quarantine_reason: 'flood' }));
    for (const one of [address, 'old@example.com']) await bringToState(verbDeps(site), one, 'confirmed');
    await site.worker.start();
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const privacy = (...args: string[]) => runCommand('src/apps/cli/privacy.ts', args, database.env);
  const post = async (fields: Record<string, string>) => {
    const response = await postJson(site.origin + contactPath, fields);
    expect(response.status).toBe(200);
    return ((await response.json()) as { reference: string }).reference;
  };
  const delivered = (receiver: string, count: number) =>
    expect
      .poll(() => site.store.outbox.count({ receiver, states: ['delivered'] }), { timeout: 30_000 })
      .toBe(count);

  test('finds, exports and corrects the data of a person', async () => {
    const own = await post(words);
    await site.store.messages.addNote(own, 'Called back.', new Date().toISOString());
    const mention = {
      name: 'Other',
      email: 'other@example.com',
      message: `Ask ${address}, not azoe@example.org.`,
    };
    other = await post({ ...words, ...mention });
    await delivered('sheet', 2);
    // Including the digest.
    await delivered('mail', 3);
    await database.query(`update attempts set reason = '${database.dataDir}/mail cannot be written to'`);
    const { code, out } = await privacy('find', ' ZOE@example.com', '--json');
    const found = JSON.parse(out);
    expect([code, found.messages.length, found.deliveries.length, found.copies.length]).toEqual([0, 2, 2, 5]);
    expect(found.messages).toContainEqual(expect.objectContaining({ reference: own }));
    expect(found.mentions).toMatchObject([{ reference: other }]);
    expect(found.newsletter.subscriber).toMatchObject({ address, state: 'confirmed' });

    const file = join(folder, 'zoe.json');
    const { err } = await privacy('export', address, file);
    expect(err).toContain('others wrote');
    const exported = JSON.parse(readFileSync(file, 'utf8'));
    expect(exported).toMatchObject({ address, newsletter: { state: 'confirmed' }, earlierRequests: [] });
    expect(exported.messages).toContainEqual(
      expect.objectContaining({
        ...{ reference: own, ...words },
        ourNotes: [{ written: expect.any(String), text: 'Called back.' }],
      }),
    );
    // The reason of a failure is not exported, because it names folders and servers.
    for (const text of [database.dataDir, 'other@example.com'])
      expect(JSON.stringify(exported)).not.toContain(text);

    const name = ['--name', '=Zoë "Z" U', '--reference', own.toLowerCase(), '--yes'];
    expect(await privacy('rectify', address, ...name)).toMatchObject({ code: 0 });
    expect(rows(database).find(row => row.Reference === own)?.Name).toBe(`'=Zoë "Z" U`);
  });

  test('asks before it erases, and erases everything while visitors write', async () => {
    expect(await privacy('erase', address)).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    const posted: string[] = [];
    let isOver = false;
    const posting = (async () => {
      while (!isOver) posted.push(await post({ email: 'visitor@example.com', message: 'Hello' }));
    })();
    const { code, out } = await privacy('erase', address, '--yes', '--json');
    isOver = true;
    await posting;
    const erased = JSON.parse(out);
    expect([code, erased.isDone, erased.tasks]).toEqual([0, true, []]);
    expect(erased.counts).toMatchObject({
      ...{ messages: 2, mentions: 1, newsletter: 1, rows: 1, redacted: 1, mails: 3 },
    });

    await delivered('sheet', 1 + posted.length);
    const left = rows(database);
    expect(new Set(left.map(row => row.Reference))).toEqual(new Set([...posted, other]));
    expect(left).toHaveLength(posted.length + 1);
    expect(left.find(row => row.Reference === other)?.Message).toBe('Ask [erased], not azoe@example.org.');
    // As a process, to see that it ends by itself.
    const again = await runProcess('src/apps/cli/privacy.ts', ['find', address], database.env);
    expect([again.code, again.out, again.err]).toEqual([
      1,
      '',
      expect.stringMatching(/Erased on .*: 2 messages/),
    ]);
  });

  test('asks a new address to confirm the newsletter, and unsubscribes the old one', async () => {
    const change = ['old@example.com', '--email', 'new@example.com'];
    expect(await privacy('rectify', ...change, '--yes')).toMatchObject({ code: 0 });
    const id = site.newsletter.keys.subscriberPseudonym('old@example.com');
    expect((await site.store.subscribers.get(id))?.state).toBe('unsubscribed');
    const asked = `select address, form from sign_ups
      union select address, request_form as form from subscribers where state = 'pending'`;
    expect(await database.query(asked)).toEqual([{ address: 'new@example.com', form: 'import' }]);
    expect(await privacy('find', 'unknown@example.com')).toMatchObject({
      ...{ code: 1, out: '', err: 'Error: no data found for unknown@example.com\n' },
    });
  });
});

test('erases a message without the address as well, and lists what PostgreSQL retains', async () => {
  await using database = (await databases[1]?.create()) as TestDatabase;
  const also = newMessage({ ...words, email: '', message: 'pomegranate', receivers: [] });
  const outside = newMessage({ ...words, receivers: ['webhook'] });
  await using site = await wireSite(testConfig(database.env), collectLog());
  for (const one of [also, outside]) await site.store.messages.add(one);
  await database.query("update deliveries set state = 'delivered'");
  await bringToState(verbDeps(site), address, 'confirmed');
  writeFileSync(join(database.dataDir, 'wardhouse.sqlite'), `from before the move ${address}`);
  const { code, err } = await runCommand(
    'src/apps/cli/privacy.ts',
    ['erase', address, '--yes', '--with', also.reference.toLowerCase()],
    database.env,
  );
  expect(await site.store.messages.count({})).toBe(0);
  expect(err).toMatch(/To do: webhook \(no longer configured\): delete the/);
  expect(err).toContain(outside.reference);
  expect(err).toMatch(/until VACUUM \(dead rows so far: .*autovacuum is on\)/);
  expect(err).toMatch(/wal_keep_size \d.*archive_mode off, no replication slots/);
  // A database that is no longer used is reported, not changed.
  expect([code, err]).toEqual([1, expect.stringContaining('wardhouse.sqlite contains the address')]);
  const ledger = readFileSync(join(database.dataDir, 'erasures.ndjson'), 'utf8');
  expect(ledger.trim().split('\n')).toHaveLength(3);
  expect(ledger).not.toContain(also.reference);
});

function rows(database: TestDatabase): Record<'Name' | 'Message' | 'Reference', string>[] {
  return parse(readFileSync(join(database.dataDir, 'messages.csv')), { bom: true, columns: true });
}
