import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../tests/harness/site.ts';
import { paths } from '../tests/harness/site-paths.ts';
import { createTempFolder } from '../tests/harness/temp-folder.ts';

const sources = ['bin', 'content', 'src', '.npmrc', 'package.json', 'package-lock.json', 'tsconfig.json'];
const installMs = 240_000;

/** The commands of the README, as they are written there. */
const [, deploy = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## Deploy\n');
const [installAndStart = '', publish = ''] = [...deploy.matchAll(/^ {4}(.*?) +#/gm)].map(
  ([, command]) => command,
);
const [install = '', start = ''] = installAndStart.split(' && ');

type Shell = { child: ChildProcess; output(): string; ended: Promise<number | null> };

function run(folder: string, command: string): Shell {
  // A group of its own, because npm starts further processes.
  const child = spawn('sh', ['-c', command], {
    ...{ cwd: folder, detached: true },
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', MIN_FREE_DISK_MB: '0' },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (printed += part));
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  onTestFinished(() => powerOff({ child, output: () => printed, ended }));
  return { child, output: () => printed, ended };
}

/** Nothing is told to stop: the machine loses its power. */
async function powerOff({ child, ended }: Shell): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
  await ended;
}

async function waitForUrl(server: Shell): Promise<string> {
  const find = () => /The site is at (\S+)/.exec(server.output())?.[1];
  await expect.poll(find, { timeout: installMs, interval: 250 }).toBeDefined();
  return find() ?? '';
}

test('a fresh folder is installed, started, changed, published and rebooted as the README says', async () => {
  const folder = createTempFolder();
  for (const name of sources) cpSync(join(root, name), join(folder, name), { recursive: true });
  const installed = run(folder, install);
  expect(await installed.ended, installed.output()).toBe(0);

  const server = run(folder, start);
  const contact = new URL(paths.contact, await waitForUrl(server));
  expect(server.output()).toContain('Building the site for the first time');
  const read = async (url: URL) => (await fetch(url)).text();
  expect(await read(contact)).not.toContain('020 7946 0777');

  const company = join(folder, 'content/company.yaml');
  writeFileSync(company, readFileSync(company, 'utf8').replace(/^phone: .*$/m, 'phone: "020 7946 0777"'));
  const published = run(folder, publish);
  expect(await published.ended, published.output()).toBe(0);
  await expect.poll(() => read(contact)).toContain('020 7946 0777');

  await powerOff(server);
  const rebooted = run(folder, start);
  const url = new URL(paths.contact, await waitForUrl(rebooted));
  expect(await read(url)).toContain('020 7946 0777');
  expect(rebooted.output()).not.toMatch(/Building|outdated/);
}, 600_000);
