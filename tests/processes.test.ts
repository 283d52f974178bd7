import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageLimits } from '../src/features/messages/api/limits.ts';
import { createSheetService, type SheetService } from './fakes/sheet-service.ts';
import { createSmtpServer, type FakeSmtpServer } from './fakes/smtp-server.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { type Copy, copyProject, type StartedProcess } from './harness/process.ts';
import { postJson } from './harness/requests.ts';
import { collectLog, testConfig, type WiredSite, wireSite } from './harness/site.ts';
import { queueNewsletterIssue, subscriberMailSettings } from './harness/subscriber-mail.ts';

/** Real processes on one PostgreSQL: a server that only stores, a server that also delivers, and a worker. */

const perSecond = 20;
/** So many subscribers take longer than the poll interval of a process that missed a wake. */
const subscriberCount = 110;
const arrivals: { to: string; at: number }[] = [];
let database: TestDatabase;
let site: WiredSite;
let smtp: FakeSmtpServer;
let sheet: SheetService;
let copy: Copy;
let env: Record<string, string>;
let [storing, delivering, worker]: StartedProcess[] = [];
let all: StartedProcess[];
let addresses: string[];

beforeAll(async () => {
  database = (await databases[1]?.create()) as TestDatabase;
  smtp = await createSmtpServer({
    onMail: ({ to }) => arrivals.push({ to: to.join(), at: performance.now() }),
  });
  sheet = await createSheetService();
  env = {
    ...database.env,
    ...subscriberMailSettings(smtp),
    ...{ SHEET_URL: sheet.url, SHEET_RATE: '1000', MAIL_RATE: '1000', METRICS_PORT: '0' },
    ...{ NEWSLETTER_RATE: String(perSecond), RATE_LIMIT: 'on', SITE_URL: '' },
    // Subscriber mail links to a loopback name, because tests connect to no other host.
    ...{ NOTIFY_EMAIL: 'owner@localhost', MAIL_FROM: 'site@localhost' },
  };
  site = await wireSite(testConfig(env), { log: collectLog().log });
  copy = copyProject();
  storing = copy.start({ ...env, OUTBOX: 'separate' });
  delivering = copy.start(env);
  worker = copy.start(env, { script: 'src/apps/cli/worker.ts' });
  all = [storing, delivering, worker];
  addresses = await Promise.all([storing.address(), delivering.address()]);
}, 60_000);

afterAll(async () => {
  await copy[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
  await sheet[Symbol.asyncDispose]();
  await database.remove();
});

/** To one of the servers, the next one with each number. */
const post = (number: number, body: object, headers: Record<string, string> = {}) =>
  postJson(`${addresses[number % addresses.length]}/api/contact`, body, headers);

test('one key sent to both servers concurrently is one message, with one reference', async () => {
  const answers = Array.from({ length: 80 }, async (_, index) => {
    const number = Math.floor(index / 4);
    const answer = await post(index, { message: `${number}` }, { 'idempotency-key': `key-${number}` });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { reference: string }).reference;
  });
  const references = new Set(await Promise.all(answers));
  expect(references.size).toBe(20);
  const stored = await database.query('select reference from messages');
  expect(stored.map(({ reference }) => reference).sort()).toEqual([...references].sort());
});

test('each message is delivered once, and an issue to each subscriber once, at the rate of one process', async () => {
  const at = "'2026-01-02T03:04:05.000Z'";
  await database.query(`insert into subscribers (id, address, state, form, consent_requested_at, confirmed_at)
    select 'reader-' || number, 'reader-' || number || '@example.com', 'confirmed', 'home', ${at}, ${at}
    from generate_series(1, ${subscriberCount}) as number`);
  await queueNewsletterIssue(site, 'both');
  // A message makes each poll its queues at once.
  for (const number of [1, 2]) await post(number, { message: 'Look' });
  const issueMails = () => arrivals.filter(({ to }) => to.startsWith('reader-'));
  await expect
    .poll(() => site.store.outbox.count({ kinds: ['issue'], states: ['delivered'] }), { timeout: 50_000 })
    .toBe(subscriberCount);
  expect(new Set(issueMails().map(({ to }) => to)).size).toBe(subscriberCount);
  expect(issueMails().length).toBe(subscriberCount);
  // Two processes with a throttle each would take half as long; a busy machine may be late with the first.
  const tookMs = (issueMails().at(-1)?.at ?? 0) - (issueMails()[0]?.at ?? 0);
  expect(tookMs).toBeGreaterThan(0.6 * (subscriberCount / perSecond) * 1000);
  const senders = () => all.filter(started => /"delivered".*"newsletter"/.test(started.output()));
  await expect.poll(() => senders().length).toBe(2);

  const due = await database.query("select reference from deliveries where receiver = 'sheet'");
  expect(due.length).toBe(22);
  await expect.poll(() => sheet.rows.length, { timeout: 50_000 }).toBe(due.length);
  expect(new Set(sheet.rows.map(row => row.Reference))).toEqual(
    new Set(due.map(({ reference }) => reference)),
  );
  // Not even sent twice: a lease belongs to one process.
  expect(sheet.requests.length).toBe(due.length);
  expect(storing?.output()).not.toContain('"delivered"');
}, 60_000);

test('messages from one address are limited over both together', async () => {
  await database.query('delete from rate_counts');
  const limit = messageLimits.message.max;
  const answers = await Promise.all(Array.from({ length: limit + 9 }, (_, number) => post(number, {})));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
});

test('servers and worker end with 0 on SIGTERM', async () => {
  for (const { child } of all) child.kill('SIGTERM');
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0]);
});
