import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fingerprintFile } from '../../src/apps/build/fingerprint.ts';
import { cacheFolders } from '../../src/core/build-cache.ts';
import { compileCache, compileCacheSettings } from './command.ts';
import { builtSite, root } from './site.ts';

export type Copy = AsyncDisposable & {
  folder: string;
  start(env?: Record<string, string>, options?: StartOptions): StartedProcess;
};

/** `script` is another command than `npm start`; `prefix` a program that runs it, such as a tracer. */
type StartOptions = { script?: string; prefix?: string[] };

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
  cpSync(builtSite, join(folder, 'dist/builds/first'), { recursive: true });
  dropSiteUrl(join(folder, 'dist/builds/first', fingerprintFile));
  symlinkSync('builds/first', join(folder, 'dist/current'));
  shareKept(folder);
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
    start(env = {}, options = {}) {
      const process = startProcess(folder, env, options);
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

/** A copy starts without a public URL: the build has one, and its server would report the difference. */
function dropSiteUrl(file: string): void {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), SITE_URL: '' }));
}

/** All copies share the build cache. */
function shareKept(folder: string): void {
  mkdirSync(join(folder, '.cache'));
  for (const kept of [...Object.values(cacheFolders), compileCache.NODE_COMPILE_CACHE]) {
    mkdirSync(kept, { recursive: true });
    symlinkSync(kept, join(folder, '.cache', basename(kept)));
  }
}

/** `npm start`, or another command, without npm, in an environment of its own. */
function startProcess(
  folder: string,
  env: Record<string, string>,
  { script = 'src/apps/cli/start.ts', prefix = [] }: StartOptions,
): StartedProcess {
  const [program = '', ...args] = [...prefix, process.execPath, script];
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH ?? '', ...compileCacheSettings(folder) },
      ...{ PORT: '0', RATE_LIMIT: 'off', MIN_FREE_DISK_MB: '0', ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.once('close', code => resolve(code));
  const address = new Promise<string>((found, lost) => {
    let isFound = false;
    const read = (chunk: Buffer) => {
      printed += chunk;
      // Searched only until it is found: a long log would be searched again with each line.
      const line = isFound ? undefined : /The site.* is at ([^\s"]+)/.exec(printed)?.[1];
      if (!line) return;
      isFound = true;
      found(line);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(code => lost(new Error(`ended with ${code ?? child.signalCode}: ${printed}`)));
  });
  address.catch(() => undefined);
  return { child, output: () => printed, address: () => address, ended };
}
