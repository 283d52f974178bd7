import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandResult, HostRequest, HostResponse } from './command.ts';

/** Runs commands one after the other, with modules that are loaded once. Started by `runCommand` only. */
class Ended extends Error {}

let result: CommandResult;
let isOver = true;
let isAnswered = true;
let count = 0;

for (const [stream, name] of [
  [process.stdout, 'out'],
  [process.stderr, 'err'],
] as const) {
  stream.write = ((part: string | Uint8Array, ...rest: unknown[]) => {
    if (!isOver) result[name] += typeof part === 'string' ? part : Buffer.from(part).toString();
    const done = rest.find(one => typeof one === 'function');
    if (done) queueMicrotask(() => done());
    return true;
  }) as typeof stream.write;
}

/** Output after process.exit is discarded, as in a real process. */
process.exit = code => {
  if (!isOver) result.code = Number(code ?? process.exitCode ?? 0);
  isOver = true;
  throw new Ended();
};

/** After an uncaught error the command may still be running, so the process is not reused. */
function finish(isReusable: boolean, error?: unknown): void {
  if (isAnswered) return;
  if (!isOver) {
    result.code = error ? 1 : Number(process.exitCode ?? 0);
    if (error) result.err += `${error instanceof Error ? error.stack : error}\n`;
  }
  isOver = true;
  isAnswered = true;
  const answer: HostResponse = { result, isReusable };
  process.send?.(answer);
}

process.on('uncaughtException', error => finish(false, error));
process.on('unhandledRejection', error => finish(false, error));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', async ({ script, args, env }: HostRequest) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, resolve(script), ...args];
  process.exitCode = undefined;
  result = { code: 0, out: '', err: '' };
  isOver = false;
  isAnswered = false;
  try {
    await import(`${pathToFileURL(resolve(script)).href}?${++count}`);
    finish(true);
  } catch (error) {
    finish(true, error);
  }
});
