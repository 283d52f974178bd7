import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './site.ts';

export type Said = { code: number; out: string; err: string };

/** Compiled once in a run, and not once in each process. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, '.cache/compile-test') };

/** An owner's command, as its own process in an environment of its own. */
export async function runCommand(script: string, args: string[], env: Record<string, string>): Promise<Said> {
  const options = { cwd: root, env: { PATH: process.env.PATH ?? '', ...compileCache, ...env } };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], options);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}
