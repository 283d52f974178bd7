import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Processor time so far, and the memory that is resident now. */
export type ProcessUsage = { cpuMs: number; residentMb: number };

/** Read from outside: a process that computes answers nothing. One that has ended is left out, and on Windows every one. */
export async function readUsage(pids: readonly number[]): Promise<Map<number, ProcessUsage>> {
  if (process.platform === 'win32' || pids.length === 0) return new Map();
  if (process.platform !== 'linux') return readFromPs(pids);
  return new Map(
    pids.flatMap(pid => {
      const usage = readFromProc(pid);
      return usage ? [[pid, usage]] : [];
    }),
  );
}

/** proc(5), in hundredths of a second whatever the kernel's own tick is, and in kilobytes. */
function readFromProc(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    const resident = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return { cpuMs: 10 * (Number(user) + Number(system)), residentMb: Number(resident ?? 0) / 1024 };
  } catch {
    return undefined;
  }
}

export async function readFromPs(pids: readonly number[]): Promise<Map<number, ProcessUsage>> {
  const args = ['-o', 'pid=,time=,rss=', '-p', pids.join(',')];
  // An error as well when one of them has ended: the lines of the others are there.
  const { stdout } = await promisify(execFile)('ps', args, { timeout: 2000 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  return parsePs(stdout);
}

/** A line a process: '  123   0:01.50  81920', where the time may have hours and days. */
export function parsePs(text: string): Map<number, ProcessUsage> {
  const usages = new Map<number, ProcessUsage>();
  for (const line of text.split('\n')) {
    const [pid = '', time = '', resident = ''] = line.trim().split(/\s+/);
    const units = [1, 60, 3600, 86_400];
    const seconds = time
      .split(/[:-]/)
      .reverse()
      .reduce((sum, part, at) => sum + Number(part) * (units[at] ?? 0), 0);
    if (pid) usages.set(Number(pid), { cpuMs: 1000 * seconds, residentMb: Number(resident) / 1024 });
  }
  return usages;
}
