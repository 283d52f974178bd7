import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { processSignUps } from '../src/domain/newsletter/process-sign-ups.ts';
import { requestSubscription } from '../src/domain/newsletter/request-subscription.ts';
import { type Services, wire } from '../src/server/wire.ts';
import { createSmtpServer, type FakeSmtpServer } from './fakes/smtp-server.ts';
import { type CommandResult, runCommand } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';
import { collectLog, testConfig } from './harness/site.ts';
import { subscriberMailSettings } from './harness/subscriber-mail.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-newsletter-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const words = '---\nsubject: Three things\npreview: In short\n---\n\nWhat [is new](/faq).\n';

const subscriberAddresses = ['a', 'b', 'c'].map(name => `${name}@example.com`);

const [{ create: createSqlite }] = databases as [(typeof databases)[number]];

/** Three subscribers, a mail server, and a worker that the tests start. */
let database: TestDatabase;
let smtp: FakeSmtpServer;
let site: Services;
let env: Record<string, string>;
let polling: NodeJS.Timeout;
beforeAll(async () => {
  [database, smtp] = await Promise.all([createSqlite(), createSmtpServer()]);
  env = { ...database.env, ...subscriberMailSettings(smtp) };
  site = await wire(testConfig(env), collectLog());
  for (const address of subscriberAddresses) await bringToState(verbDeps(site), address, 'confirmed');
  await database.query("delete from deliveries where kind = 'confirmation'");
  // The worker polls only every few seconds.
  polling = setInterval(site.worker.wake, 100);
});
afterAll(async () => {
  clearInterval(polling);
  await site[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
  await database.remove();
});

function runNewsletter(settings: Record<string, string>, args: string[]): Promise<CommandResult> {
  return runCommand('src/cli/newsletter.ts', args, settings);
}
const newsletter = (...args: string[]) => runNewsletter(env, args);
const needsYes = { code: 1, err: expect.stringContaining('--yes') };

test('deletes pending requests of a network after an attack, and no confirmed subscribers', async () => {
  const ask = (email: string, network: string) =>
    requestSubscription(verbDeps(site), { email, form: 'home', consentTextId: '', network });
  for (const index of [0, 1, 2]) await ask(`victim-${index}@example.com`, '2001:db8:1/48');
  await processSignUps(verbDeps(site));
  await ask('victim-3@example.com', '2001:db8:1/48');
  await ask('honest@example.com', '192.0.2.0/24');

  const shown = await newsletter('drop-pending');
  expect(shown).toMatchObject(needsYes);
  const [, first, second] = shown.out.split('\n').map(line => line.split('\t'));
  expect(first?.slice(0, 3)).toEqual([expect.stringMatching(/^ipv6:[\w-]{10}$/), '1', '3']);
  expect(second?.slice(0, 3)).toEqual([expect.stringMatching(/^ipv4:[\w-]{10}$/), '1', '0']);

  const dropped = await newsletter('drop-pending', '--network', first?.[0] as string, '--yes', '--json');
  expect(JSON.parse(dropped.out)).toMatchObject({
    networks: [{ network: first?.[0], signUps: 1, subscribers: 3 }],
    dropped: { signUps: 1, subscribers: 3 },
  });
  expect(await database.query('select address from sign_ups')).toEqual([{ address: 'honest@example.com' }]);
  expect(await site.store.outbox.count({ kinds: ['confirmation'], states: ['waiting'] })).toBe(0);
  expect((await newsletter('drop-pending', '--network', 'ipv4', '--since', '1h', '--yes')).err).toContain(
    '1 waiting sign-up and 0 pending subscribers',
  );
  expect(await site.store.subscribers.count('confirmed')).toBe(3);
});

test('sends a test to one address only', async () => {
  const draft = file('2026-01.md', words);
  expect(await newsletter('test', draft, '--to', 'me@example.com')).toMatchObject({ code: 0 });
  expect(smtp.mails.map(({ to }) => to)).toEqual([['me@example.com']]);
  expect(smtp.mails[0]?.header('Subject')).toBe('[Test] Three things');
  smtp.script({ at: 'recipient', kind: 'answer', reply: '550 5.1.1 no such user' });
  const { code, err } = await newsletter('test', draft, '--to', 'me@example.com');
  expect([code, err]).toEqual([1, expect.stringContaining('test not sent: ')]);
});

test('queues once, stops, resumes, and follows the delivery', async () => {
  smtp.mails.length = 0;
  const issue = file('2026-02.md', words);
  expect(await newsletter('send', issue)).toMatchObject(needsYes);
  expect(await site.store.newsletterIssues.list(1)).toEqual([]);
  expect(JSON.parse((await newsletter('send', issue, '--yes', '--no-wait', '--json')).out)).toMatchObject({
    added: 3,
    deliveries: { waiting: 3, held: 0 },
  });
  expect((await newsletter('stop')).err).toContain('3 mails of 2026-02 held');

  await site.worker.start();
  const changed = file('2026-02.md', `${words}More.\n`);
  expect((await newsletter('send', changed, '--yes')).err).toContain('different text');
  expect(smtp.mails).toEqual([]);
  // The mail arrives, but its acknowledgement is lost.
  smtp.script({ at: 'end', kind: 'reset' });
  const { code, err } = await newsletter('send', file('2026-02.md', words), '--yes');
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/3 held mails resumed\n(.*\n)*2 sent, 1 unconfirmed; /),
  ]);
  expect(smtp.mails.flatMap(({ to }) => to).sort()).toEqual(subscriberAddresses);
  expect((await newsletter('resume')).err).toBe('Error: no issue has held mails\n');
});

test('lists the recipients whose mail is unconfirmed, and sends it again on request', async () => {
  const { out } = await newsletter('status', '2026-02.md');
  const [, line, , , whom] = out.split('\n').map(one => one.split('\t'));
  expect(line?.slice(3)).toEqual(['3', '2', '0', '0', '0', '1', '0']);
  expect(whom?.slice(1, 3)).toEqual(['unconfirmed', '1']);
  smtp.mails.length = 0;
  const { err } = await newsletter('send', join(folder, '2026-02.md'), '--yes', '--resend-unconfirmed');
  expect(err).toContain('1 unconfirmed mail will');
  expect(smtp.mails.map(({ to }) => to)).toEqual([[whom?.[0]]]);
});

test('sends a blog post once, with its web address', async () => {
  // The owner's own posts come and go.
  await using copy = copyProject();
  const inCopy = (settings: Record<string, string>, ...args: string[]) =>
    runCommand(join(copy.folder, 'src/cli/newsletter.ts'), args, settings);
  const slug = 'plain';
  const path = join(copy.folder, `content/blog/2026-09-01-${slug}.md`);
  const head = `title: A plain post\nsummary: ${'Nothing but one sentence. '.repeat(5)}\ntopics: [testing]\ndate: 2026-09-01`;
  writeFileSync(path, `---\n${head}\n---\n\nThis is all that the post says.\n`);
  smtp.mails.length = 0;
  const { code, err } = await inCopy(env, 'send', path, '--yes');
  const address = `${site.config.siteUrl}/blog/${slug}`;
  expect([code, err]).toEqual([0, expect.stringMatching(/3 mails queued\n(.*\n)*3 sent/)]);
  expect(err).toContain(address);
  expect(smtp.mails).toHaveLength(3);
  const issue = await site.store.newsletterIssues.find(`blog.${slug}`);
  expect(smtp.mails[0]?.text).toContain(`Read on the web: ${address}`);
  expect(smtp.mails[0]?.header('Subject')).toBe(issue?.subject);

  expect((await inCopy(env, 'send', path, '--yes')).err).toContain('No new recipients');
  expect((await inCopy(env, 'status', path, '--json')).out).toContain(`"name": "blog.${slug}"`);
  expect(smtp.mails).toHaveLength(3);
});

test('exports the list, and asks addresses that are new to another database to confirm', async () => {
  expect((await newsletter('suppress', 'b@example.com')).code).toBe(0);
  expect((await newsletter('unsuppress', ' B@example.com')).err).toContain('confirmed again');
  expect((await newsletter('erase', 'c@example.com')).code).toBe(0);
  expect(await newsletter('erase', 'unknown@example.com')).toMatchObject({ code: 1 });
  const exported = await newsletter('export', '--csv');
  expect(exported.err).toBe('Not exported, because only a hash of the address is stored: 1\n');
  expect(exported.out.trim().split('\r\n')).toHaveLength(3);
  const list = file('list.csv', `${exported.out}c@example.com\r\nnone\r\n`);
  expect(await newsletter('import', list, '--yes')).toMatchObject({
    code: 1,
    out: expect.stringContaining('\n0\t2\t0\t1\t0\t1\n'),
    err: 'Invalid addresses on lines: 5\nNo new addresses to import\n',
  });

  const other = await createSqlite();
  const otherSite = await wire(testConfig(other.env), collectLog());
  const imported = (...args: string[]) =>
    runNewsletter(other.env, ['import', file('list.csv', exported.out), ...args]);
  const lines = async (...args: string[]) => (await imported(...args)).out.split('\n')[1];
  expect(await lines('--dry-run')).toBe('2\t0\t0\t0\t0\t0');
  expect(await imported()).toMatchObject(needsYes);
  expect(await otherSite.store.signUps.count()).toBe(0);
  expect(await lines('--yes')).toBe('2\t0\t0\t0\t0\t0');
  expect(await lines('--yes')).toBe('0\t2\t0\t0\t0\t0');
  expect(await otherSite.store.signUps.count()).toBe(2);

  await otherSite[Symbol.asyncDispose]();
  await other.remove();
});

test('previews without a database', async () => {
  const settings = { DATA_DIR: join(folder, 'data'), SITE_URL: 'https://site.example' };
  const { code, out, err } = await runNewsletter(settings, ['preview', file('2026-03.md', words)]);
  const [html = '', text = ''] = out.trim().split('\n');
  expect([code, err]).toEqual([0, 'Subject: Three things\n']);
  expect(readFileSync(html, 'utf8')).toContain('href="https://site.example/faq"');
  expect(readFileSync(text, 'utf8')).toContain('https://site.example/newsletter/leave');
  expect(statSync(text).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, 'data/wardhouse.sqlite'))).toBe(false);
  const broken = await runNewsletter(settings, ['preview', file('2026-04.md', 'No head.\n')]);
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('2026-04.md line 1: ')]);
  const missing = await runNewsletter(settings, ['list']);
  expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/^Error: no database found at /)]);
});
