import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { explainSetting } from '../src/apps/server/config.ts';
import { loadChecks } from '../src/apps/server/launch/run-checks.ts';
import { createMessagesFeature } from '../src/features/messages/feature.ts';
import { startDesk } from './harness/desk.ts';
import type { Pages, ViewName } from './harness/desk-pages.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { newMessage } from './harness/sample-message.ts';
import { settleDue } from './harness/settle-due.ts';
import { stubReceiver } from './harness/stub-receiver.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

const desk = await disposeAfterAll(startDesk());

async function read<Name extends ViewName>(path: string): Promise<Pages[Name]> {
  const response = await desk.request(path, { headers: { accept: 'application/json' } });
  expect(response.status).toBe(200);
  return ((await response.json()) as { props: Pages[Name] }).props;
}

const taskTitles = async () => (await read<'overview'>('/')).tasks.map(({ title }) => title);

test('the overview names what needs the owner, each with a link, and new messages first', async () => {
  const { messages } = desk.services.store;
  expect((await read<'overview'>('/')).waiting).toMatchObject([{ title: 'New messages', newest: [] }]);
  for (let number = 0; number < 4; number++) {
    const received_at = new Date(Date.now() - number * 60_000).toISOString();
    const fields = { reference: `AAAAA-AAAA${number}`, received_at, message: `<b>${'x'.repeat(400)}</b>` };
    await messages.add(newMessage({ ...fields, receivers: ['sheet', 'mail'] }));
  }
  await messages.add(newMessage({ reference: 'BBBBB-BBBBB', state: 'quarantined' }));
  const { waiting, tasks } = await read<'overview'>('/');
  const [shown] = waiting;
  expect(shown?.title).toBe('New messages: 4');
  const paths = [0, 1, 2].map(number => `/messages/AAAAA-AAAA${number}`);
  expect(shown?.newest.map(({ path }) => path)).toEqual(paths);
  expect(shown?.newest[0]?.start.length).toBeLessThan(200);
  for (const { path, link } of tasks) expect([path, link]).not.toContain('');
  expect(tasks.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      '1 message in quarantine',
      'The site is not published yet',
      'There is no backup',
      expect.stringMatching(/^\d+ required points of the launch checklist$/),
    ]),
  );
  expect(await (await desk.request('/')).text()).not.toContain('<b>x');
});

describe('receivers', () => {
  test('show what waits and what failed, and try again when the owner says so', async () => {
    const { receivers } = desk.services.store;
    const now = new Date().toISOString();
    await settleDue(desk.services, 'mail', { state: 'failed', reason: '550 full' });
    await receivers.pause('sheet', 'the key is not valid', now);
    await receivers.pause('confirmations', '535 login refused', now);
    const { receivers: shown } = await read<'health'>('/health');
    expect(shown).toMatchObject([
      { name: 'sheet', waiting: 4, problem: { kind: 'paused', reason: 'the key is not valid' } },
      { name: 'mail', waiting: 3, failed: 1, problem: { kind: 'refusing', count: 1, reason: '550 full' } },
      { name: 'confirmations', problem: { kind: 'paused', reason: '535 login refused' }, canRetry: true },
      { name: 'newsletter', problem: null, canRetry: false },
    ]);
    expect(await taskTitles()).toEqual(
      expect.arrayContaining(['A receiver does not work', 'A delivery failed']),
    );
    const done = { sheet: 'retried', mail: 'retried', confirmations: 'resumed' };
    for (const [receiver, name] of Object.entries(done)) {
      const { headers } = await desk.post('/health/retry', { receiver });
      expect(headers.get('location')).toBe(`/health?done=${name}#receivers`);
    }
    expect((await read<'health'>('/health')).receivers).toMatchObject([
      { waiting: 4, problem: null },
      { waiting: 4, failed: 0 },
      { problem: null },
      {},
    ]);
    expect((await desk.post('/health/retry', { receiver: 'none' })).status).toBe(404);
  });

  test('that refused deliveries say so with the reason, until they take one', async () => {
    const { services } = desk;
    const find = async (wanted: string) =>
      (await read<'health'>('/health')).receivers.find(({ name }) => name === wanted)?.problem;
    await settleDue(services, 'mail', { state: 'delivered' });
    expect(await find('mail')).toBe(null);
    await settleDue(services, 'mail', { state: 'waiting', reason: '451 try later', dueAt: '2999' });
    expect(await find('mail')).toMatchObject({ kind: 'refusing', count: 1, reason: '451 try later' });
    const page = (await (await desk.request('/health')).text()).replaceAll('<!-- -->', '');
    expect(page).toMatch(/>Refusing<.*1 delivery refused, none taken since .*451 try later\./s);
    await settleDue(services, 'mail', { state: 'delivered' });
    expect(await find('mail')).toBe(null);

    // A visitor's mail server may refuse for reasons of its own.
    for (const [index, kind] of [null, null, 'refusing'].entries()) {
      await bringToState(verbDeps(services), `p${index}@example.com`, 'pending');
      await settleDue(services, 'confirmations', { state: 'failed', reason: '550 no relay' });
      expect((await find('confirmations'))?.kind ?? null).toBe(kind);
    }
  });

  test('that refuse a test message are named with the reason', async () => {
    const refused = {
      kind: 'permanent',
      failure: { code: 'other', text: 'no such mailbox' },
      isUnknownMailbox: true,
    } as const;
    await using tried = await startDesk(
      {},
      { features: [createMessagesFeature({ receivers: [stubReceiver('mail', refused)] })] },
    );
    const response = await tried.post('/health/test');
    expect(response.headers.get('location')).toBe('/health?done=test-failed#receivers');
    expect(await (await tried.request('/health?done=test-failed')).text()).toContain('no such mailbox');
  });
});

test('backups are made, listed and downloaded, and the oldest go; no other file is served', async () => {
  const folder = join(desk.services.config.dataDir, 'backups');
  mkdirSync(folder, { recursive: true });
  for (let day = 10; day < 20; day++) writeFileSync(join(folder, `site-2026-01-${day}-120000.sqlite`), 'x');
  writeFileSync(join(folder, 'of-the-owner.sqlite'), 'x');
  // A double click makes one.
  const [response] = await Promise.all([desk.post('/health/backups'), desk.post('/health/backups')]);
  expect(response.headers.get('location')).toBe('/health?done=backed-up#backups');
  const { backups } = await read<'health'>('/health');
  expect([backups.files.length, backups.isOld]).toEqual([10, false]);
  expect(readdirSync(folder)).toHaveLength(11);
  expect(readdirSync(folder)).not.toContain('site-2026-01-10-120000.sqlite');
  expect(await taskTitles()).not.toContain('There is no backup');

  const [newest] = backups.files;
  const download = await desk.request(newest?.path ?? '');
  expect(download.headers.get('content-disposition')).toBe(`attachment; filename="${newest?.name}"`);
  const copy = join(desk.root, 'copy.sqlite');
  writeFileSync(copy, new Uint8Array(await download.arrayBuffer()));
  expect(statSync(join(folder, newest?.name ?? '')).mode & 0o777).toBe(0o600);
  using database = new DatabaseSync(copy, { readOnly: true });
  expect(database.prepare('select count(*) as n from messages').get()).toEqual({ n: 5 });
  for (const name of ['of-the-owner.sqlite', '..%2Fwardhouse.sqlite', 'site-2026-01-01-000000.sqlite'])
    expect((await desk.request(`/health/backups/${name}`)).status).toBe(404);
});

test('every setting at which a launch check is mended is explained', async () => {
  const settings = (await loadChecks()).flatMap(
    ({ place: { path } }) => /settings\/(\w+)/.exec(path ?? '')?.[1] ?? [],
  );
  expect(settings.length).toBeGreaterThan(5);
  for (const name of settings) expect(explainSetting(name)?.text).toMatch(/\w+/);
  expect(await (await desk.request('/health/settings/SITE_URL')).text()).toContain('The public URL');
  for (const name of ['NONE', '..%2F.env'])
    expect((await desk.request(`/health/settings/${name}`)).status).toBe(404);
});

test('the checklist asks the network only when the owner says so, and has the same count everywhere', async () => {
  const names = async () => (await read<'health/launch'>('/health/launch')).lines.map(({ name }) => name);
  const expectOneCount = async () => {
    const { open } = await read<'health/launch'>('/health/launch');
    expect((await read<'health'>('/health')).launch).toEqual(open);
    expect(await taskTitles()).toContain(`${open.required} required points of the launch checklist`);
    return open.required;
  };
  expect(await names()).not.toContain('DNS');
  await expectOneCount();
  expect((await desk.post('/health/launch')).headers.get('location')).toBe('/health/launch');
  expect(await names()).toContain('DNS');
  await expectOneCount();
});

test('a figure as CSV is its table, for the same period', async () => {
  const { figures } = await read<'figures'>('/figures?weeks=12');
  expect(figures.find(({ id }) => id === 'messages')?.rows).toHaveLength(12);
  for (const { id, columns, rows } of figures) {
    const csv = await (await desk.request(`/figures/${id}.csv?weeks=12`)).text();
    const lines = csv.trimEnd().split('\r\n');
    expect(lines).toEqual([columns, ...rows].map(row => row.map(cell => `"${cell}"`).join(',')));
  }
  expect((await read<'figures'>('/figures?weeks=9999')).weeks).toBe(26);
  expect((await desk.request('/figures/none.csv')).status).toBe(404);
});
