import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The kernel reports process times in hundredths of a second (USER_HZ), whatever its own tick is. */
const ticksPerSecond = 100;

/** User and system time of a process and its descendants so far, ended ones too. Linux only: undefined where there is no /proc. */
export function readCpuSeconds(pid: number): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  const ticks = listFamily(pid).reduce((sum, one) => sum + one.ticks, 0);
  return ticks / ticksPerSecond;
}

type Process = { pid: number; parent: number; ticks: number };

/** The process first, then everything below it. */
export function listFamily(pid: number): Process[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readStat(Number(name)))
    .filter(one => one !== undefined);
  const family = all.filter(one => one.pid === pid);
  for (const member of family) family.push(...all.filter(one => one.parent === member.pid));
  return family;
}

/** proc(5): the name in parentheses may itself hold spaces and parentheses, so fields are counted behind the last. */
function readStat(pid: number): Process | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // It ended between the listing and the reading.
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Its own user and system time, and that of children that it has seen end.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), ticks };
}
