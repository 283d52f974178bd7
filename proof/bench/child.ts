import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Place } from './cores.ts';
import { listFamily } from './cpu.ts';

const startWithinMs = 60_000;
const stopWithinMs = 10_000;

/** Starts a command in its place. taskset replaces itself by the command, so the pid is the command's own. */
export function startChild(place: Place, command: string[], options: SpawnOptions): ChildProcess {
  const [file = '', ...args] = [...place.prefix, ...command];
  const child = spawn(file, args, options);
  child.once('error', error => process.stderr.write(`${file}: ${error.message}\n`));
  return child;
}

export function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} could not be started`);
  return child.pid;
}

type Listening = { pid: number; port: number; stop(): Promise<void> };

/** Starts a server that prints the port it was given. */
export async function startOnPrintedPort(
  place: Place,
  command: string[],
  options: SpawnOptions,
  pattern: RegExp,
): Promise<Listening> {
  const { pid, printed, stop } = await startPrinting(place, command, options, pattern);
  return { pid, port: Number(printed), stop };
}

/** Starts a child that prints when it is ready, and returns the part of it that the pattern asks for. */
export async function startPrinting(
  place: Place,
  command: string[],
  options: SpawnOptions,
  pattern: RegExp,
): Promise<{ pid: number; printed: string; stop(): Promise<void> }> {
  const child = startChild(place, command, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [, printed = ''] = await waitForOutput(child, pattern);
    return { pid: pidOf(child), printed, stop: () => stopChild(child) };
  } catch (error) {
    await stopChild(child);
    throw error;
  }
}

/** Resolves with the first match in what the child prints, and goes on emptying its pipe afterwards. */
function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`${child.spawnargs.join(' ')} ${reason}\n${text}`));
    };
    const timer = setTimeout(() => fail(`printed no ${pattern} within ${startWithinMs} ms`), startWithinMs);
    child.once('error', error => fail(error.message));
    child.once('exit', code => fail(`ended with ${code}`));
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      if (text.length < 100_000) text += part;
      const match = pattern.exec(text);
      if (!match) return;
      clearTimeout(timer);
      resolve(match);
    });
  });
}

/** Asks the child to end and, when it does not, ends it and what it started, each by its own pid. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise(resolve => child.once('exit', resolve));
  const { pid } = child;
  const force = setTimeout(() => {
    const family = existsSync('/proc/self/stat') ? listFamily(pid).map(one => one.pid) : [pid];
    for (const member of family) process.kill(member, 'SIGKILL');
  }, stopWithinMs);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(force);
}
