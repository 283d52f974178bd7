import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtSite, root } from './site.ts';

export type Copy = AsyncDisposable & {
  folder: string;
  start(env?: Record<string, string>, script?: string): StartedProcess;
};

export type StartedProcess = {
  child: ChildProcess;
  /** Everything it printed so far. */
  output(): string;
  /** Resolves with the address once it is printed; rejects, with the output, when the process ends before. */
  address(): Promise<string>;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
};

/** A copy of the project with its build, so that a test may change sources, settings or tools. */
export function copyProject({ packages }: { packages?: string[] } = {}): Copy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wardhouse-copy-')));
  for (const name of ['bin', 'src', 'content', 'tsconfig.json', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  cpSync(builtSite, join(folder, 'dist'), { recursive: true });
  if (packages) {
    for (const name of packages) {
      mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
  } else {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  }
  const started: StartedProcess[] = [];
  return {
    folder,
    start(env = {}, script = 'src/cli/start.ts') {
      const process = startProcess(folder, env, script);
      started.push(process);
      return process;
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `npm start`, or another command, without npm, in an environment of its own. */
function startProcess(folder: string, env: Record<string, string>, script: string): StartedProcess {
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once('close', code => resolve(code));
  const address = new Promise<string>((found, lost) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const line = /The site.* is at ([^\s"]+)/.exec(printed);
      if (line?.[1]) found(line[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(code => lost(new Error(`ended with ${code}: ${printed}`)));
  });
  address.catch(() => undefined);
  return { child, output: () => printed, address: () => address, ended };
}
