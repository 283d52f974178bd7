import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { admitSignUps } from '../src/domain/newsletter/admit-sign-ups.ts';
import { requestSubscription } from '../src/domain/newsletter/request-subscription.ts';
import { wire } from '../src/server/wire.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { writePosts } from './harness/blog.ts';
import { type CommandResult, runCommand } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';
import { collectLog, testConfig } from './harness/site.ts';
import { subscriberMailSettings } from './harness/subscriber-mail.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

// Each of these starts a few processes.
vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-newsletter-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const words = '---\nsubject: Three things\npreview: In short\n---\n\nWhat [is new](/faq).\n';

const subscriberAddresses = ['a', 'b', 'c'].map(name => `${name}@example.com`);

// The verbs are tested on both databases elsewhere, so each subcommand runs on one.
const [sqlite, postgres] = databases as [Database, Database];
type Database = (typeof databases)[number];

describe('npm run newsletter on SQLite, beside a server', () => {
  let testSite: TestSite;
  beforeAll(async () => {
    testSite = await createTestSite(sqlite.create);
  });
  afterAll(() => testSite[Symbol.asyncDispose]());

  test('queues once, stops, resumes, and follows the delivery', async () => {
    const { newsletter, site, smtp } = testSite;
    const issue = file('2026-02.md', words);
    expect(await newsletter('send', issue)).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    expect(await site.store.newsletterIssues.list(1)).toEqual([]);
    expect(JSON.parse((await newsletter('send', issue, '--yes', '--no-wait', '--json')).out)).toMatchObject({
      added: 3,
      deliveries: { waiting: 3, held: 0 },
    });
    expect((await newsletter('stop')).err).toContain('3 mails of 2026-02 held');

    await site.worker.start();
    expect((await newsletter('send', file('2026-02.md', `${words}More.\n`), '--yes')).err).toContain(
      'different text',
    );
    expect(smtp.mails).toEqual([]);
    // The mail arrives, but its acknowledgement is lost.
    smtp.script({ at: 'end', kind: 'reset' });
    const { code, err } = await newsletter('send', file('2026-02.md', words), '--yes');
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/3 held mails released\n(.*\n)*2 sent, 1 unconfirmed; /),
    ]);
    expect(smtp.mails.flatMap(({ to }) => to).sort()).toEqual(subscriberAddresses);
    expect((await newsletter('resume')).err).toBe('error: no issue has held mails\n');
  });

  test('lists the recipients whose mail failed or is unconfirmed', async () => {
    const { newsletter, smtp } = testSite;
    const { out } = await newsletter('status', '2026-02.md');
    const [head, line, , second, whom] = out.split('\n').map(one => one.split('\t'));
    expect(head?.slice(3)).toEqual([
      'recipients',
      'sent',
      'waiting',
      'held',
      'failed',
      'unconfirmed',
      'cancelled',
    ]);
    expect(line?.slice(3)).toEqual(['3', '2', '0', '0', '0', '1', '0']);
    expect(second?.[0]).toBe('address');
    expect(whom?.slice(1, 3)).toEqual(['unconfirmed', '1']);

    smtp.mails.length = 0;
    const { err } = await newsletter('send', join(folder, '2026-02.md'), '--yes', '--resend-unconfirmed');
    expect(err).toContain('1 unconfirmed mail will');
    expect(smtp.mails.map(({ to }) => to)).toEqual([[whom?.[0]]]);
  });

  test('sends a blog post once, with its web address', async () => {
    const { site, smtp, env } = testSite;
    // The owner's own posts come and go.
    await using copy = copyProject();
    const blog = join(copy.folder, 'content/blog');
    writePosts(blog);
    const inCopy = (env: Record<string, string>, args: string[]) =>
      runCommand(join(copy.folder, 'src/cli/newsletter.ts'), args, env);
    const newsletter = (...args: string[]) => inCopy(env, args);
    const slug = 'plain-1';
    const path = join(blog, `2026-09-01-${slug}.md`);
    const name = `blog.${slug}`;
    // An issue that is no post may have the name of the post's file.
    await newsletter('send', file(`2026-09-01-${slug}.md`, words), '--yes');
    smtp.mails.length = 0;
    const { code, err } = await newsletter('send', path, '--yes');
    expect([code, err]).toEqual([0, expect.stringMatching(/3 mails queued\n(.*\n)*3 sent/)]);
    const address = `${site.config.siteUrl}/blog/${slug}`;
    expect(err).toContain(address);
    expect(smtp.mails).toHaveLength(3);
    const issue = await site.store.newsletterIssues.find(name);
    expect(smtp.mails[0]?.text).toContain(`Read on the web: ${address}`);
    expect(smtp.mails[0]?.header('Subject')).toBe(issue?.subject);

    expect((await newsletter('send', path, '--yes')).err).toContain('No new recipients');
    expect((await newsletter('status', path, '--json')).out).toContain(`"name": "${name}"`);
    expect(smtp.mails).toHaveLength(3);
    const { SITE_URL: _, ...nowhere } = env;
    const refused = await inCopy(nowhere, ['send', path, '--yes']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('SITE_URL is not set')]);

    const linking = file('2026-06.md', words.replace('(/faq)', '(/blog/plain-2), [feed](/blog/rss.xml)'));
    expect(await newsletter('preview', linking)).toMatchObject({ code: 0 });
    writeFileSync(join(blog, '2026-09-03-plain-3.md'), 'No head.\n');
    expect(await newsletter('preview', linking)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error: links to the blog .*\n {2}content\/blog\/2026-09-03-plain-3\.md line 1: /,
      ),
    });
  });
});

describe('npm run newsletter on PostgreSQL', () => {
  let testSite: TestSite;
  beforeAll(async () => {
    testSite = await createTestSite(postgres.create);
  });
  afterAll(() => testSite[Symbol.asyncDispose]());

  test('sends a test to one address only', async () => {
    const { newsletter, smtp } = testSite;
    const draft = file('2026-01.md', words);
    expect(await newsletter('test', draft, '--to', 'me@example.com')).toMatchObject({ code: 0 });
    expect(smtp.mails.map(({ to }) => to)).toEqual([['me@example.com']]);
    expect(smtp.mails[0]?.header('Subject')).toBe('[Test] Three things');
    smtp.script({ at: 'recipient', kind: 'answer', reply: '550 5.1.1 no such user' });
    const { code, err } = await newsletter('test', draft, '--to', 'me@example.com');
    expect([code, err]).toEqual([1, expect.stringContaining('test not sent: ')]);
  });

  test('exports the list, and asks addresses that are new to another database to confirm', async () => {
    const { newsletter } = testSite;
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

    const other = await sqlite.create();
    const site = await wire(testConfig(other.env), collectLog());
    const imported = (...args: string[]) =>
      runNewsletter(other.env, ['import', file('list.csv', exported.out), ...args]);
    const lines = async (...args: string[]) => (await imported(...args)).out.split('\n')[1];
    expect(await lines('--dry-run')).toBe('2\t0\t0\t0\t0\t0');
    expect(await imported()).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    expect(await site.store.signUps.count()).toBe(0);
    expect(await lines('--yes')).toBe('2\t0\t0\t0\t0\t0');
    expect(await lines('--yes')).toBe('0\t2\t0\t0\t0\t0');
    expect(await site.store.signUps.count()).toBe(2);
    expect(await imported('--confirmed')).toMatchObject({ code: 2 });
    await site[Symbol.asyncDispose]();
    await other.remove();
  });

  test('deletes pending requests of a network after an attack, and no confirmed subscribers', async () => {
    const { newsletter, site, database } = testSite;
    const ask = (email: string, network: string) =>
      requestSubscription(verbDeps(site), { email, form: 'home', consentTextId: '', network });
    for (let index = 0; index < 3; index += 1) await ask(`victim-${index}@example.com`, '2001:db8:1/48');
    await admitSignUps(verbDeps(site));
    await ask('victim-3@example.com', '2001:db8:1/48');
    await ask('honest@example.com', '192.0.2.0/24');
    const confirmed = await site.store.subscribers.count('confirmed');

    const shown = await newsletter('drop-pending');
    expect(shown).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    const [head, first, second] = shown.out.split('\n').map(line => line.split('\t'));
    expect(head).toEqual(['network', 'sign-ups', 'pending subscribers', 'first', 'last']);
    expect(first?.slice(0, 3)).toEqual([expect.stringMatching(/^ipv6:[\w-]{10}$/), '1', '3']);
    expect(second?.slice(0, 3)).toEqual([expect.stringMatching(/^ipv4:[\w-]{10}$/), '1', '0']);
    expect((await newsletter('drop-pending', '--until', '1d', '--yes')).err).toContain('Nothing was deleted');
    expect(await newsletter('drop-pending', '--network', '2001:db8::/48')).toMatchObject({ code: 2 });
    expect(await newsletter('drop-pending', '--since', 'yesterday')).toMatchObject({ code: 2 });

    const dropped = await newsletter('drop-pending', '--network', first?.[0] as string, '--yes', '--json');
    expect(JSON.parse(dropped.out)).toMatchObject({
      networks: [{ network: first?.[0], signUps: 1, subscribers: 3 }],
      dropped: { signUps: 1, subscribers: 3 },
    });
    expect(await database.query('select address from sign_ups')).toEqual([{ address: 'honest@example.com' }]);
    expect(await site.store.outbox.count({ kinds: ['confirmation'], states: ['waiting'] })).toBe(0);
    expect(await newsletter('drop-pending', '--network', 'ipv4', '--since', '1h', '--yes')).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 waiting sign-up and 0 pending subscribers'),
    });
    expect((await newsletter('drop-pending', '--yes')).err).toBe(
      'No pending requests found. Nothing was deleted.\n',
    );
    expect(await site.store.subscribers.count('confirmed')).toBe(confirmed);
  });

  test('previews without a database', async () => {
    const env = { DATA_DIR: join(folder, 'data'), SITE_URL: 'https://site.example' };
    const { code, out, err } = await runNewsletter(env, ['preview', file('2026-03.md', words)]);
    const [html = '', text = ''] = out.trim().split('\n');
    expect([code, err]).toEqual([0, 'Subject: Three things\n']);
    expect(readFileSync(html, 'utf8')).toContain('href="https://site.example/faq"');
    expect(readFileSync(text, 'utf8')).toContain('https://site.example/newsletter/leave');
    expect(statSync(text).mode & 0o777).toBe(0o600);
    expect(existsSync(join(folder, 'data/wardhouse.sqlite'))).toBe(false);

    const broken = await runNewsletter(env, ['preview', file('2026-04.md', 'No head.\n')]);
    expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('2026-04.md line 1: ')]);
    expect(await runNewsletter(env, ['list'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: no database found at /),
    });
  });

  test('queues nothing without subscribers, or without a URL for their links', async () => {
    const database = await sqlite.create();
    await using site = await wire(testConfig(database.env), collectLog());
    const issue = file('2026-05.md', words);
    expect((await runNewsletter(database.env, ['send', issue, '--yes'])).err).toContain(
      'no confirmed subscribers',
    );
    await bringToState(verbDeps(site), 'a@example.com', 'confirmed');
    expect((await runNewsletter(database.env, ['send', issue])).err).toContain('SMTP_URL is not set');
    const outside = {
      ...database.env,
      SMTP_URL: 'smtp://mail.example.com',
      NOTIFY_EMAIL: 'office@example.com',
    };
    expect((await runNewsletter(outside, ['send', issue, '--yes'])).err).toContain('SITE_URL is not set');
    expect(await site.store.newsletterIssues.list(1)).toEqual([]);
    await database.remove();
  });

  test.each([[['forget']], [['list', '--yes']], [['test', 'none.md']]])(
    'rejects %j and names the help',
    async args => {
      const { code, out, err } = await runNewsletter({ DATA_DIR: folder }, args);
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(err).toMatch(/^error: .+\nHelp: npm run newsletter -- (list |test )?--help\n$/);
    },
  );
});

/** Three subscribers and a mail server. */
async function createTestSite(create: () => Promise<TestDatabase>) {
  const [database, smtp] = await Promise.all([create(), createSmtpServer()]);
  const env = { ...database.env, ...subscriberMailSettings(smtp) };
  const site = await wire(testConfig(env), collectLog());
  for (const address of subscriberAddresses) await bringToState(verbDeps(site), address, 'confirmed');
  await database.query("delete from deliveries where kind = 'confirmation'");
  // The worker polls only every few seconds.
  const polling = setInterval(site.worker.wake, 100);
  return {
    ...{ database, smtp, site, env },
    newsletter: (...args: string[]) => runNewsletter(env, args),
    async [Symbol.asyncDispose]() {
      clearInterval(polling);
      await site[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
      await database.remove();
    },
  };
}

type TestSite = Awaited<ReturnType<typeof createTestSite>>;

function runNewsletter(env: Record<string, string>, args: string[]): Promise<CommandResult> {
  return runCommand('src/cli/newsletter.ts', args, env);
}
