import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpService, type HttpService } from './fakes/http-service.ts';
import { type CommandResult, runCommand } from './harness/command.ts';
import { type Copy, copyProject, type StartedProcess } from './harness/process.ts';

/** An entry of the list, its labels and a migration add a field everywhere. */
const [marker, quoted] = ['0170 qz7marker', 'zoe@example.org'];
const [byPhone, byQuote] = ['ada@example.com', 'bob@example.com'];

let copy: Copy;
let webhook: HttpService;
let started: StartedProcess;
let site: string;
let env: Record<string, string>;

beforeAll(async () => {
  copy = copyProject();
  addField(copy.folder);
  rmSync(join(copy.folder, 'dist'), { recursive: true });
  webhook = await createHttpService(() => ({ status: 204 }));
  env = {
    DATA_DIR: join(copy.folder, 'data'),
    NOTIFY_EMAIL: 'owner@example.com',
    WEBHOOK_URL: webhook.url,
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  };
  started = copy.start(env);
  site = await started.address();
}, 240_000);

afterAll(async () => {
  await copy[Symbol.asyncDispose]();
  await webhook[Symbol.asyncDispose]();
});

function addField(folder: string): void {
  edit(join(folder, 'src/features/messages/message-fields.ts'), "  { name: 'service'", entry);
  for (const file of ['contact.yaml', 'services.yaml'])
    edit(join(folder, 'content', file), '  message: Message', '  probe: Your probe');
  edit(
    join(folder, 'src/core/database/migrate.ts'),
    '};\n\nexport const migrationNames',
    "  '999-probe': { up: async db => void (await sql`alter table messages add column probe text not null default ''`.execute(db)) },",
  );
}

const entry = "  { name: 'probe', label: 'Probe', input: 'line', autoComplete: 'tel', isPersonal: true },";

/** Adds a line above each line that begins so. */
function edit(file: string, before: string, line: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text, file).toContain(before);
  writeFileSync(
    file,
    text.replaceAll(before, () => `${line}\n${before}`),
  );
}

const send = (fields: Record<string, string>, key: string) =>
  fetch(`${site}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'idempotency-key': key },
    body: JSON.stringify(fields),
  });

const run = (command: string, ...args: string[]): Promise<CommandResult> =>
  runCommand(join(copy.folder, `src/apps/cli/${command}.ts`), args, env);

async function print(command: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await run(command, ...args);
  expect(code, err).toBe(0);
  return out;
}

test('each form asks for it with its label', async () => {
  for (const path of ['/contact', '/creator']) {
    const html = await (await fetch(site + path)).text();
    const input = /<label[^>]*>Your probe<\/label><input [^>]*>/.exec(html)?.[0];
    expect(input, path).toMatch(/autocomplete="tel".*name="probe"/i);
  }
});

test('a message with it alone is stored, delivered, found, exported and erased; one that quotes a person in it is redacted', async () => {
  const { reference } = (await (await send({ probe: marker }, 'key-one')).json()) as { reference: string };
  expect((await send({ probe: marker }, 'key-one')).status).toBe(200);
  expect((await send({ probe: 'another' }, 'key-one')).status).toBe(422);
  expect((await send({ probe: '\0' }, 'key-two')).status).toBe(422);
  expect((await send({ email: byPhone, probe: marker }, 'key-three')).status).toBe(200);
  expect((await send({ email: byQuote, probe: `ask ${quoted}` }, 'key-four')).status).toBe(200);

  const sheet = () => readFileSync(join(env.DATA_DIR as string, 'messages.csv'), 'utf8');
  const mails = () => {
    const folder = join(env.DATA_DIR as string, 'mail');
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'));
  };
  await expect.poll(() => sheet().split('qz7marker').length, { timeout: 20_000 }).toBe(3);
  expect(sheet()).toContain('"Probe","Service"');
  await expect.poll(() => mails().filter(mail => /Probe: +0170 qz7marker/.test(mail)).length).toBe(2);
  await expect.poll(() => webhook.requests.filter(({ body }) => body.includes(marker)).length).toBe(2);
  const [posted] = webhook.requests.filter(({ body }) => body.includes(reference));
  expect(JSON.parse(posted?.body ?? '').data).toMatchObject({ probe: marker, email: '' });

  expect(await print('inbox', 'show', reference)).toMatch(/Probe +│ 0170 qz7marker/);
  expect(JSON.parse(await print('inbox', 'show', reference, '--json'))).toMatchObject({
    state: 'new',
    probe: marker,
  });
  expect(await print('inbox', 'list', '--search', 'QZ7marker')).toContain(reference);
  expect(await print('inbox', 'export', '-', '--csv')).toMatch(/"Probe","Service"[\s\S]*0170 qz7marker/);

  expect(await readDesk(`messages/${reference}`)).toMatch(/<dt>Probe<\/dt><dd[^>]*><bdi>0170 qz7marker/);

  expect(await print('privacy', 'export', byPhone, '-')).toContain(`"probe": "${marker}"`);
  await print('privacy', 'rectify', byPhone, '--probe', `${marker} corrected`, '--yes');
  expect(await print('inbox', 'list', '--search', 'corrected', '--json')).toContain(`${marker} corrected`);
  expect(sheet()).toContain(`${marker} corrected`);
  expect(await print('privacy', 'find', quoted)).toContain('mention');
  const backup = join(copy.folder, 'backup.sqlite');
  await print('backup', backup);
  await print('privacy', 'erase', quoted, '--yes');
  await print('privacy', 'erase', byPhone, '--with', reference, '--yes');
  const expectErased = async () => {
    const listed = await print('inbox', 'list', '--json');
    for (const text of [listed, sheet(), ...mails()]) expect(text).not.toMatch(/qz7marker|zoe@example/);
    expect(listed).toContain(byQuote);
  };
  await expectErased();

  started.child.kill('SIGTERM');
  await started.ended;
  await print('restore', backup, '--replace', '--yes');
  await expectErased();
}, 120_000);

async function readDesk(path: string): Promise<string> {
  const desk = copy.start(env, { script: 'src/apps/cli/desk.ts' });
  const findLink = () => /http:\/\/localhost:\d+\/\S+/.exec(desk.output())?.[0];
  await expect.poll(findLink, { timeout: 60_000 }).toBeTruthy();
  const link = findLink() as string;
  const setCookie = (await fetch(link)).headers.get('set-cookie') ?? '';
  const [, cookie = '', prefix = ''] = /^([^;]+); Path=([^;]+)/.exec(setCookie) ?? [];
  const page = await fetch(new URL(prefix + path, link), { headers: { cookie } });
  desk.child.kill('SIGINT');
  await desk.ended;
  return page.text();
}
