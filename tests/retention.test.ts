import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageState } from '../src/core/database/tables.ts';
import { expireMessages } from '../src/features/messages/expire-messages.ts';
import { databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { findInFiles } from './harness/find-text.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, testConfig, type WiredSite, wireSite } from './harness/site.ts';

const day = 24 * 3_600_000;
const now = new Date('2026-11-15T09:00:00.000Z');
const ago = (days: number) => new Date(now.getTime() - days * day).toISOString();

describe.each(databaseUnderTest)('retention on $name', ({ create }) => {
  let database: TestDatabase;
  let site: WiredSite;
  const { log, lines } = collectLog();
  const clock = { now: () => now };
  const message = (state: MessageState, days: number, receivers: string[] = []) =>
    newMessage({
      ...{ state, received_at: ago(days), receivers },
      ...{ message: `${state}-${days}`, idempotency_key: `${state}-${days}` },
    });
  const messages = [
    message('new', 800, ['sheet', 'mail']),
    message('empty', 731),
    message('new', 729, ['sheet', 'mail']),
    message('quarantined', 91),
    message('quarantined', 89),
    message('spam', 91, ['sheet']),
    message('closed', 731),
    message('closed', 729),
  ];

  beforeAll(async () => {
    database = await create();
    site = await wireSite(testConfig(database.env), { log, clock });
    for (const one of messages) await site.store.messages.add(one);
    const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
    for (const one of messages.filter(({ receivers }) => receivers.length > 0)) {
      const payload = { ...one, kind: 'message', receivedAt: one.received_at } as const;
      for (const receiver of site.receivers) {
        if (one.receivers.includes(receiver.name)) await receiver.deliver(payload, attempt);
      }
    }
    await database.query(
      `update deliveries set state = 'delivered', settled_at = created_at where reference = '${messages[2]?.reference}'`,
    );
    // An old notice, and a digest of a past quarantine.
    for (const [name, at, payload] of [
      ['a', ago(731), '{"title":"Old","text":"words"}'],
      ['b', ago(95), '{"digest":{"after":"","upTo":""}}'],
    ] as const) {
      const turn = { name, now: at, lastRunBefore: ago(2000) };
      await site.store.schedule.claimScheduledRun(turn, {
        reference: `NOTE${name}-00000`,
        receivers: ['mail'],
        payload,
        now: at,
      });
    }
    await database.query(`update deliveries set state = 'delivered' where kind = 'notice'`);
    writeFileSync(
      join(database.dataDir, 'mail', `${ago(95).slice(0, 19).replaceAll(':', '')}-NOTEb-00000.eml`),
      'x',
    );
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await database.remove();
  });

  const expire = (keep = site.config.retention) =>
    expireMessages({ ...site.store, copies: site.copies, clock, log }, keep);
  const left = async () =>
    (await database.query('select idempotency_key as key from messages')).map(({ key }) => key).sort();
  const sheet = () => readFileSync(join(database.dataDir, 'messages.csv'), 'utf8');
  const mails = () => readdirSync(join(database.dataDir, 'mail'));

  test('keeps data that is configured so, while the process is shutting down, and while the clock may be ahead', async () => {
    const before = sheet();
    await expire({ messagesDays: 0, quarantineDays: 0 });
    expect(lines.join('')).not.toContain('expired');
    const noCopies = { expire: async () => ({ rows: 0, mails: 0 }) };
    const deps = { ...site.store, copies: noCopies, clock, log };
    await expireMessages(deps, site.config.retention, AbortSignal.abort());
    // Nothing expired for a week: it waits an hour.
    await site.store.schedule.recordRun('retention', ago(8));
    await expire();
    expect(lines.join('')).toContain('retention postponed');
    expect(await left()).toHaveLength(messages.length);
    expect(sheet()).toBe(before);
  });

  test('deletes expired data from tables and files', async () => {
    await expire();
    expect(await left()).toEqual(['closed-729', 'new-729', 'quarantined-89']);
    expect(sheet().trim().split('\r\n')).toEqual([expect.any(String), expect.stringContaining('new-729')]);
    expect(mails()).toEqual([expect.stringContaining(messages[2]?.reference ?? '')]);
    const rows = await database.query(`select kind, reference from deliveries order by receiver`);
    expect(rows.map(({ reference }) => reference)).toEqual([messages[2]?.reference, messages[2]?.reference]);
    const logged = lines.map(line => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'info', messages: 5, rows: 2, mails: 2, notices: 1 }),
    );
    expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', deliveries: 3 }));
    expect(lines.join('')).not.toContain(messages[0]?.reference);
  });

  test('writes and logs nothing in a second run', async () => {
    const before = lines.length;
    writeFileSync(join(database.dataDir, 'messages.csv'), 'mine\r\n', { flag: 'a' });
    const kept = sheet();
    await expire();
    expect(lines).toHaveLength(before);
    expect(sheet()).toBe(kept);
    // Last, because to read the file of a database drops the locks of this process on it.
    expect(findInFiles(database.dataDir, 'new-800')).toEqual([]);
  });
});
