import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { StartedProcess } from '../../tests/harness/process.ts';
import { NotRun } from './family.ts';

const path = `${process.env.PATH}:/usr/sbin:/sbin`;

export function assertStrace(): void {
  const { status } = spawnSync('strace', ['-qq', '-e', 'trace=none', process.execPath, '--version']);
  if (status !== 0) throw new NotRun('strace');
}

/** A program that changes mounts, which needs root. */
export function runTool(program: string, ...args: string[]): void {
  const { status, error, stderr } = spawnSync(program, args, { env: { PATH: path }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.trim()}`);
}

/** The first of several: where it fails, nothing that follows could be run either. */
export function runFirstTool(program: string, ...args: string[]): void {
  try {
    runTool(program, ...args);
  } catch (error) {
    throw new NotRun(error instanceof Error ? error.message : String(error));
  }
}

/** False when it is not so in time. */
export async function becomesTrueWithin(
  ms: number,
  isSo: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const until = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > until) return false;
    await wait(20);
  }
  return true;
}

/** The exit code; undefined when the process is still there after that time. */
export function endsWithin(ms: number, { ended }: StartedProcess): Promise<number | null | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  return Promise.race([ended, promise]).finally(() => clearTimeout(timer));
}

export async function statusOf(address: string, page: string): Promise<number> {
  try {
    const response = await fetch(address + page, { signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
