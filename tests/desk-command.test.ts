import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { compileCacheSettings } from './harness/command.ts';
import { copyProject, type StartedProcess } from './harness/process.ts';
import { keys, startInTerminal } from './harness/terminal.ts';

/** Signs in by the link that the command prints. */
async function signIn({ output }: StartedProcess): Promise<{ origin: string; path: string; cookie: string }> {
  const read = () => /http:\/\/localhost:\d+\/\S+/.exec(output())?.[0];
  await expect.poll(read, { timeout: 30_000 }).toBeTruthy();
  const link = read() ?? '';
  const cookies = [await fetch(link), await fetch(link)].map(({ headers }) => headers.get('set-cookie'));
  expect(cookies).toEqual([
    expect.stringMatching(/^\S+=\S+; Path=\/[\w-]{43}\/; HttpOnly; SameSite=Strict/),
    null,
  ]);
  const [, cookie = '', path = ''] = /^([^;]+); Path=([^;]+)/.exec(cookies[0] ?? '') ?? [];
  return { origin: new URL(link).origin, path, cookie };
}

test('two desks beside a running site print a link each, show a new message, and end with Ctrl+C', async () => {
  await using copy = copyProject();
  const site = copy.start();
  const address = await site.address();
  const desks = [1, 2].map(() => copy.start({}, { script: 'src/apps/cli/desk.ts' }));
  const message = { name: 'Ada Example', email: 'ada@example.com', message: 'Hello' };
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const sent = await fetch(`${address}/api/contact`, {
    ...{ method: 'POST', headers, body: JSON.stringify(message) },
  });
  expect(sent.status).toBe(200);
  // Both run before the first is stopped: two at once cannot have one port.
  const signedIn = await Promise.all(desks.map(async desk => ({ desk, ...(await signIn(desk)) })));
  expect(new Set(signedIn.map(({ origin }) => origin)).size).toBe(2);
  for (const { desk, origin, path, cookie } of signedIn) {
    const { port } = new URL(origin);
    for (const host of ['127.0.0.1', '[::1]']) {
      const page = await fetch(`http://${host}:${port}${path}messages`, { headers: { cookie } });
      expect(await page.text(), host).toContain('Ada Example');
    }
    desk.child.kill('SIGINT');
    expect(await desk.ended, desk.output()).toBe(0);
  }
}, 60_000);

const deskCommand = [process.execPath, 'src/apps/cli/desk.ts'];
const link = /http:\/\/localhost:\d+\/sign-in\?token=[\w-]{43}/;

test('in a terminal the desk opens its link in the browser, prints a new one at Enter, and ends with Ctrl+C', async () => {
  await using copy = copyProject();
  const opened = join(copy.folder, 'opened');
  const programs = addOpener(copy.folder, `printf %s "$*" > "${opened}"`);
  const env = { ...compileCacheSettings(copy.folder), PATH: programs };
  await using desk = startInTerminal(deskCommand, { cwd: copy.folder, env });
  const first = await desk.waitFor(link);
  await expect.poll(() => readFileSync(opened, { encoding: 'utf8', flag: 'a+' })).toBe(first);
  expect((await fetch(first)).status).toBe(200);
  desk.type(keys.enter);
  const second = await desk.waitFor(link);
  expect(second).not.toBe(first);
  expect((await fetch(second)).status).toBe(200);
  desk.type(keys.ctrlC);
  expect(await desk.ended, desk.screen()).toBe(0);
  expect(desk.screen()).not.toMatch(/Error|No browser/);
}, 60_000);

test('the desk says when no browser could be opened, and stays open', async () => {
  await using copy = copyProject();
  const env = { ...compileCacheSettings(copy.folder), PATH: addOpener(copy.folder, 'exit 3') };
  await using desk = startInTerminal(deskCommand, { cwd: copy.folder, env });
  const printed = await desk.waitFor(link);
  await desk.waitFor(/No browser could be opened here: open the link yourself\./);
  expect((await fetch(printed)).status).toBe(200);
  desk.type(keys.ctrlC);
  expect(await desk.ended, desk.screen()).toBe(0);
}, 60_000);

/** A PATH on which the program that opens a browser is this script. */
function addOpener(folder: string, script: string): string {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  return `${programs}${delimiter}${process.env.PATH}`;
}
