import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rateLimits } from '../src/api/guards/rate-limit.ts';
import { type Services, wire } from '../src/server/wire.ts';
import { createSheetService, type SheetService } from './fakes/sheet-service.ts';
import { createSmtpServer, type FakeSmtpServer } from './fakes/smtp-server.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { type Copy, copyProject, type StartedProcess } from './harness/process.ts';
import { postJson } from './harness/requests.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, testConfig } from './harness/site.ts';
import { queueNewsletterIssue, subscriberMailSettings } from './harness/subscriber-mail.ts';

/** Real processes on one PostgreSQL: a server that only stores, a server that also delivers, and a worker. */

const perSecond = 20;
/** So many subscribers take longer than the poll interval of a process that missed a wake. */
const readers = 110;
const expired = newMessage({ received_at: '2020-01-02T03:04:05.000Z', receivers: [] });
const arrivals: { to: string; at: number }[] = [];
let database: TestDatabase;
let site: Services;
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
  site = await wire(testConfig(env), { log: collectLog().log });
  await site.store.messages.add(expired);
  copy = copyProject();
  storing = copy.start({ ...env, OUTBOX: 'separate' });
  delivering = copy.start(env);
  worker = copy.start(env, { script: 'src/cli/worker.ts' });
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

/** Each to the next server, all at once. */
async function post(path: string, bodies: object[], keys: string[] = []): Promise<Response[]> {
  return Promise.all(
    bodies.map((body, index) =>
      postJson(`${addresses[index % addresses.length]}${path}`, body, {
        'idempotency-key': keys[index] ?? randomUUID(),
      }),
    ),
  );
}

const message = (number: number) => ({ name: 'Zoë', email: 'zoe@example.com', message: `message ${number}` });

test('one key sent to both servers concurrently is one message, with one reference', async () => {
  const numbers = Array.from({ length: 80 }, (_, index) => Math.floor(index / 4));
  const bodies = numbers.map(message);
  const answers = await post(
    '/api/contact',
    bodies,
    numbers.map(number => `key-${number}`),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const references = await Promise.all(
    answers.map(async answer => ((await answer.json()) as { reference: string }).reference),
  );
  const byNumber = Map.groupBy(references, (_, index) => numbers[index]);
  expect([...byNumber.values()].map(those => new Set(those).size)).toEqual(Array(20).fill(1));
  expect(new Set(references).size).toBe(20);
  const stored = await database.query("select reference from messages where message like 'message %'");
  expect(stored.map(({ reference }) => reference).sort()).toEqual([...new Set(references)].sort());
});

test.each([
  ['messages', '/api/contact', 'message', message],
  ['requests for the newsletter', '/api/newsletter', 'newsletter', asking],
] as const)('%s from one address are limited over both together', async (_, path, bucket, body) => {
  await database.query('delete from rate_counts');
  const limit = rateLimits.perClient[bucket];
  const answers = await post(
    path,
    Array.from({ length: limit + 9 }, (__, index) => body(1000 + index)),
  );
  const counts = Map.groupBy(answers, ({ status }) => status);
  expect([...counts].map(([status, those]) => [status, those.length]).sort()).toEqual([
    [200, limit],
    [429, 9],
  ]);
});

function asking(number: number): object {
  return { email: `asks-${number}@example.com`, form: 'home', wording: '' };
}

test('each message is delivered once, and not by the server that only stores', async () => {
  const due = await database.query("select reference from deliveries where receiver = 'sheet'");
  expect(due.length).toBeGreaterThanOrEqual(20);
  await expect.poll(() => sheet.rows.length, { timeout: 50_000 }).toBe(due.length);
  const delivered = sheet.rows.map(row => row.Reference);
  expect(new Set(delivered)).toEqual(new Set(due.map(({ reference }) => reference)));
  // Not even sent twice: a lease belongs to one process.
  expect(sheet.requests.length).toBe(due.length);
  expect(storing?.output()).not.toContain('"delivered"');
}, 60_000);

test('an issue reaches each subscriber once, at the rate of one process', {
  timeout: 60_000,
}, async () => {
  const at = "'2026-01-02T03:04:05.000Z'";
  await database.query(`insert into subscribers (id, address, state, form, consent_requested_at, confirmed_at)
    select 'reader-' || number, 'reader-' || number || '@example.com', 'confirmed', 'home', ${at}, ${at}
    from generate_series(1, ${readers}) as number`);
  await queueNewsletterIssue(site, 'both');
  // A message makes each look at its lines at once, and not at its next poll.
  await database.query('delete from rate_counts');
  await post('/api/contact', [message(1), message(2)]);
  const issueMails = () => arrivals.filter(({ to }) => to.startsWith('reader-'));
  await expect
    .poll(() => site.store.outbox.count({ kinds: ['issue'], states: ['delivered'] }), { timeout: 50_000 })
    .toBe(readers);
  expect(new Set(issueMails().map(({ to }) => to)).size).toBe(readers);
  expect(issueMails().length).toBe(readers);
  // Two that each kept the pace would take half as long; a busy machine may be late with the first.
  const tookMs = (issueMails().at(-1)?.at ?? 0) - (issueMails()[0]?.at ?? 0);
  expect(tookMs).toBeGreaterThan(0.6 * (readers / perSecond) * 1000);
  const senders = () => all.filter(started => /"delivered".*"newsletter"/.test(started.output()));
  await expect.poll(() => senders().length).toBe(2);
});

test('servers and worker end with 0 on SIGTERM', async () => {
  for (const { child } of all) child.kill('SIGTERM');
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0]);
});
