import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandResult, HostRequest, HostResponse } from './command.ts';

/** Runs owner's commands one after the other, with modules that are loaded once. Started by `runCommand` alone. */
class Ended extends Error {}

let said: CommandResult;
let isOver = true;
let isAnswered = true;
let count = 0;

for (const [stream, name] of [
  [process.stdout, 'out'],
  [process.stderr, 'err'],
] as const) {
  stream.write = ((part: string | Uint8Array, ...rest: unknown[]) => {
    if (!isOver) said[name] += typeof part === 'string' ? part : Buffer.from(part).toString();
    const done = rest.find(one => typeof one === 'function');
    if (done) queueMicrotask(() => done());
    return true;
  }) as typeof stream.write;
}

/** What comes after it is heard by nobody, as after the real one. */
process.exit = code => {
  if (!isOver) said.code = Number(code ?? process.exitCode ?? 0);
  isOver = true;
  throw new Ended();
};

/** Where the command did not come to its own end, something of it may still run here: nothing else may. */
function finish(isReusable: boolean, error?: unknown): void {
  if (isAnswered) return;
  if (!isOver) {
    said.code = error ? 1 : Number(process.exitCode ?? 0);
    if (error) said.err += `${error instanceof Error ? error.stack : error}\n`;
  }
  isOver = true;
  isAnswered = true;
  const answer: HostResponse = { said, isReusable };
  process.send?.(answer);
}

process.on('uncaughtException', error => finish(false, error));
process.on('unhandledRejection', error => finish(false, error));
process.on('disconnect', () => process.reallyExit(0));
process.on('message', async ({ script, args, env }: HostRequest) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, resolve(script), ...args];
  process.exitCode = undefined;
  said = { code: 0, out: '', err: '' };
  isOver = false;
  isAnswered = false;
  try {
    await import(`${pathToFileURL(resolve(script)).href}?${++count}`);
    finish(true);
  } catch (error) {
    finish(true, error);
  }
});

declare global {
  namespace NodeJS {
    interface Process {
      reallyExit(code: number): never;
    }
  }
}
