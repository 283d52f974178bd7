import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './site.ts';

export type CommandResult = { code: number; out: string; err: string };
/** `isReusable`: its process can run another command. */
export type HostResponse = { result: CommandResult; isReusable: boolean };
export type HostRequest = { script: string; args: string[]; env: Record<string, string> };

/**
 * One compile cache for all processes. Node finds its entries by paths relative to the cache, so a copy of the project
 * that links to it can use it.
 */
export const compileCache = compileCacheSettings(root);

export function compileCacheSettings(
  folder: string,
): Record<'NODE_COMPILE_CACHE' | 'NODE_COMPILE_CACHE_PORTABLE', string> {
  return { NODE_COMPILE_CACHE: join(folder, '.cache/compile-test'), NODE_COMPILE_CACHE_PORTABLE: '1' };
}

/** Independent of this machine's free disk space. */
const plainEnv = { PATH: process.env.PATH ?? '', MIN_FREE_DISK_MB: '0' };

/** Processes that have run a command and wait for the next: loading modules takes most of the time. */
const idle: ChildProcess[] = [];

/**
 * Runs a command in its own environment, in a process that earlier commands used. `runProcess` is for tests of the
 * process itself, such as its exit.
 */
export async function runCommand(
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  // Node reads these when it starts.
  if (Object.keys(env).some(name => name.startsWith('NODE_'))) return runProcess(script, args, env);
  const host = idle.pop() ?? startHost();
  host.ref();
  host.channel?.ref();
  const request: HostRequest = { script, args, env: { ...plainEnv, ...env } };
  host.send(request);
  const gone = new AbortController();
  try {
    const [{ result, isReusable }] = await Promise.race<[HostResponse]>([
      once(host, 'message', gone) as Promise<[HostResponse]>,
      once(host, 'exit', gone).then(([code]) =>
        Promise.reject(new Error(`${script} took its process with it: ${code}`)),
      ),
    ]);
    if (isReusable) idle.push(host);
    else host.kill();
    return result;
  } finally {
    gone.abort();
    host.unref();
    host.channel?.unref();
  }
}

/** Runs a command in its own process. */
export async function runProcess(
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  const options = { cwd: root, env: { ...plainEnv, ...compileCache, ...env } };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], options);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

function startHost(): ChildProcess {
  return fork(join(import.meta.dirname, 'command-host.ts'), [], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...compileCache },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
