import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './site.ts';

export type CommandResult = { code: number; out: string; err: string };
/** Whether its process can run another. */
export type HostResponse = { said: CommandResult; isReusable: boolean };
export type HostRequest = { script: string; args: string[]; env: Record<string, string> };

/**
 * Compiled once, and not once in each process: what Node has compiled is known by where it lies beside the cache, so a
 * copy of the project that links to it has everything.
 */
export const compileCache = compileCacheSettings(root);

export function compileCacheSettings(
  folder: string,
): Record<'NODE_COMPILE_CACHE' | 'NODE_COMPILE_CACHE_PORTABLE', string> {
  return { NODE_COMPILE_CACHE: join(folder, '.cache/compile-test'), NODE_COMPILE_CACHE_PORTABLE: '1' };
}

/** However little space this machine has. */
const plainEnv = { PATH: process.env.PATH ?? '', MIN_FREE_DISK_MB: '0' };

/** Processes that have run a command and wait for the next: what a command loads is most of its work. */
const idle: ChildProcess[] = [];

/**
 * An owner's command in an environment of its own. It shares its process with the commands before it; what only a
 * process shows, such as that it ends by itself, is seen with `runProcess`.
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
  const asked: HostRequest = { script, args, env: { ...plainEnv, ...env } };
  host.send(asked);
  const gone = new AbortController();
  try {
    const [{ said, isReusable }] = await Promise.race<[HostResponse]>([
      once(host, 'message', gone) as Promise<[HostResponse]>,
      once(host, 'exit', gone).then(([code]) =>
        Promise.reject(new Error(`${script} took its process with it: ${code}`)),
      ),
    ]);
    if (isReusable) idle.push(host);
    else host.kill();
    return said;
  } finally {
    gone.abort();
    host.unref();
    host.channel?.unref();
  }
}

/** The same as a process of its own. */
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

/** The verbs that the help of a command names. */
export function listVerbs(help: string): string[] {
  const [, listed = ''] = help.split('\nCommands:\n');
  return [...listed.matchAll(/^ {2}([a-z-]+) /gm)].flatMap(([, verb = '']) =>
    verb === 'help' ? [] : [verb],
  );
}

function startHost(): ChildProcess {
  return fork(join(import.meta.dirname, 'command-host.ts'), [], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...compileCache },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
