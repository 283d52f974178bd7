import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Some systems keep servers off an ordinary user's PATH. */
const folders = [
  ...(process.env.PATH ?? '').split(':'),
  ...['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'],
];

export function findProgram(name: string): string | undefined {
  return folders.map(folder => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Numbers in its answer; undefined where it is not installed. */
export function readVersion(name: string, ask: string[]): string | undefined {
  if (!findProgram(name)) return undefined;
  return /\d+(\.\d+)+/.exec(runTool(name, ask).said)?.[0] ?? 'of an unknown version';
}

/** What a tool says, in at most ten seconds. */
export function runTool(name: string, args: string[], input = ''): { code: number | null; said: string } {
  const options = { encoding: 'utf8', timeout: 10_000, killSignal: 'SIGKILL', input } as const;
  const { status, stdout, stderr } = spawnSync(findProgram(name) ?? name, args, options);
  return { code: status, said: `${stdout}${stderr}` };
}

type Launch = { name: string; args: string[]; ip: string; port: number; env?: Record<string, string> };

/** Runs until the stack is disposed, and is ready when it takes connections. */
export async function startProgram(
  stack: AsyncDisposableStack,
  { name, args, ip, port, env = {} }: Launch,
): Promise<ChildProcess> {
  const child = spawn(findProgram(name) ?? name, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const ended = new Promise(resolve => child.once('close', resolve));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said = `${said}${chunk}`.slice(-2000);
    });
  stack.defer(async () => {
    child.kill('SIGTERM');
    const killed = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(killed);
  });
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt++) {
    if (await isOpen(ip, port)) return child;
    await sleep(50);
  }
  throw new Error(`${name} did not open ${ip}:${port}: ${said}`);
}

/** An nginx that runs as who starts it and keeps to its folder; returns the options that start it. */
export function prepareNginx(
  folder: string,
  http: string,
  events = '',
  main = 'master_process off;',
): string[] {
  const file = join(folder, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
${main}
pid ${join(folder, 'nginx.pid')};
error_log stderr crit;
events { ${events} }
http {
  ${places.map(place => `${place}_temp_path ${join(folder, place)};`).join('\n  ')}
  ${http}
}
`,
  );
  return ['-p', folder, '-c', file, '-e', 'stderr'];
}

/** Free now; another process could take it before it is used. */
export async function findFreePort(ip: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>(open => probe.listen(0, ip, open));
  const { port } = probe.address() as { port: number };
  await new Promise(closed => probe.close(closed));
  return port;
}

/** Port 53 belongs to programs with rights, and may be taken. */
export function canListen(ip: string, port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise(resolve => {
    probe.once('error', () => resolve(false));
    probe.listen(port, ip, () => probe.close(() => resolve(true)));
  });
}

function isOpen(ip: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, ip);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Of the title of a test: what is missing where it is skipped. */
export function named(title: string, isThere: boolean, needs: string): string {
  const skipped = `${title}: skipped, because it needs ${needs}`;
  if (!isThere) process.stdout.write(`${skipped}\n`);
  return isThere ? title : skipped;
}
