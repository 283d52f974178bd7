import { readFileSync } from 'node:fs';
import { readCpuSeconds } from '../cpu.ts';
import { print } from '../options.ts';

/** Of the time of one core. Other guests of the machine: proc(5), steal. */
const maxStolenShare = 0.01;
/** The kernel's own threads, which are among the other processes, take half of it. */
const maxOthersShare = 0.05;
const tries = 5;

/** What was measured while other guests or other processes had the processors is measured again. */
export async function undisturbed<T>(name: string, measure: () => Promise<T>): Promise<T> {
  let best: { share: number; result: T } | undefined;
  for (let count = 0; count < tries; count++) {
    const [started, before] = [performance.now(), readOthers()];
    const result = await measure();
    const [elapsed, after] = [performance.now() - started, readOthers()];
    const stolen = (after.stolenMs - before.stolenMs) / elapsed;
    const others = (after.processesMs - before.processesMs) / elapsed;
    const share = stolen + others;
    if (!best || share < best.share) best = { share, result };
    if (stolen <= maxStolenShare && others <= maxOthersShare) break;
    const end = count + 1 < tries ? 'once more' : 'the least disturbed try counts';
    print(`${name}: others had a core for ${(100 * share).toFixed(0)} % of the time; ${end}`);
  }
  return (best as { result: T }).result;
}

/** On all cores together, since the machine was started; both 0 where there is no /proc. */
function readOthers(): { stolenMs: number; processesMs: number } {
  const own = readCpuSeconds(process.pid);
  if (own === undefined) return { stolenMs: 0, processesMs: 0 };
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = line.split(' ').map(Number);
  // The time of a process includes its interrupts. The kernel tells hundredths of a second (USER_HZ), whatever its own tick is.
  const busy = user + nice + system + irq + softirq;
  return { stolenMs: stolen * 10, processesMs: busy * 10 - own * 1000 };
}
