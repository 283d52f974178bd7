import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { processSignUps } from '../src/features/newsletter/process-sign-ups.ts';
import { requestSubscription } from '../src/features/newsletter/request-subscription.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { runCommand, runProcess } from './harness/command.ts';
import { databases } from './harness/databases.ts';
import { copyProject } from './harness/process.ts';
import { collectLog, testConfig, wireSite } from './harness/site.ts';
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
const [database, smtp] = await Promise.all([createSqlite(), createSmtpServer()]);
const env = { ...database.env, ...subscriberMailSettings(smtp) };
const site = await wireSite(testConfig(env), collectLog());
for (const address of subscriberAddresses) await bringToState(verbDeps(site), address, 'confirmed');
await database.query("delete from deliveries where kind = 'confirmation'");
// The worker polls only every few seconds.
const polling = setInterval(site.worker.wake, 100);
afterAll(async () => {
  clearInterval(polling);
  await site[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
  await database.remove();
});

const newsletter = (...args: string[]) => runCommand('src/apps/cli/newsletter.ts', args, env);
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
  const [, [network = '', ...counts] = []] = shown.out.split('\n').map(line => line.split('\t'));
  expect([network, ...counts.slice(0, 2)]).toEqual([expect.stringMatching(/^ipv6:[\w-]{10}$/), '1', '3']);
  const dropped = await newsletter('drop-pending', '--network', network, '--yes', '--json');
  expect(JSON.parse(dropped.out)).toMatchObject({ dropped: { signUps: 1, subscribers: 3 } });
  expect(await database.query('select address from sign_ups')).toEqual([{ address: 'honest@example.com' }]);
  expect(await site.store.outbox.count({ kinds: ['confirmation'], states: ['waiting'] })).toBe(0);
  expect(await site.store.subscribers.count('confirmed')).toBe(3);
  await newsletter('drop-pending', '--network', 'ipv4', '--since', '1h', '--yes');
  expect(await site.store.signUps.count()).toBe(0);
});

test('queues once, stops, resumes, and follows the delivery', async () => {
  smtp.mails.length = 0;
  const issue = file('2026-02.md', words);
  expect(await newsletter('send', issue)).toMatchObject(needsYes);
  expect((await newsletter('send', issue, '--json')).err).toContain('Recipients: 3 confirmed');
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

  await using other = await createSqlite();
  await using otherSite = await wireSite(testConfig(other.env), collectLog());
  const importList = (...args: string[]) =>
    runCommand('src/apps/cli/newsletter.ts', ['import', file('list.csv', exported.out), ...args], other.env);
  expect(await importList()).toMatchObject(needsYes);
  expect(await otherSite.store.signUps.count()).toBe(0);
  expect((await importList('--yes')).out.split('\n')[1]).toBe('2\t0\t0\t0\t0\t0');
  expect(await otherSite.store.signUps.count()).toBe(2);
});

test('previews without a database, and says which line of an issue is wrong', async () => {
  const settings = { DATA_DIR: join(folder, 'data'), SITE_URL: 'https://site.example' };
  const preview = (path: string) => runCommand('src/apps/cli/newsletter.ts', ['preview', path], settings);
  const { code, out, err } = await preview(file('2026-03.md', words));
  const [html = '', text = ''] = out.trim().split('\n');
  expect([code, err]).toEqual([0, 'Subject: Three things\n']);
  expect(readFileSync(html, 'utf8')).toContain('href="https://site.example/faq"');
  expect(readFileSync(text, 'utf8')).toContain('https://site.example/newsletter/leave');
  expect(statSync(text).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, 'data/wardhouse.sqlite'))).toBe(false);
  const broken = await preview(file('2026-04.md', 'No head.\n'));
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('2026-04.md line 1: ')]);
});

test('takes the facts that are published, and names those that have been changed since', async () => {
  await using copy = copyProject();
  const company = join(copy.folder, 'content/company.yaml');
  const before = readFileSync(company, 'utf8');
  const phone = /^phone: "(.+)"$/m.exec(before)?.[1] ?? '';
  writeFileSync(company, before.replace(phone, '020 7946 0999'));
  const issue = file('2026-05.md', words.replace('What', 'Call {company.phone}. What'));
  const script = join(copy.folder, 'src/apps/cli/newsletter.ts');
  const { out, err } = await runProcess(script, ['preview', issue], { DATA_DIR: join(folder, 'data-copy') });
  const [, text = ''] = out.trim().split('\n');
  expect(readFileSync(text, 'utf8')).toContain(`Call ${phone}.`);
  expect(err).toMatch(/^Warning: .*020 7946 0999.* not published/m);
});
