import { readFileSync, writeSync } from 'node:fs';

// Loaded before a command, and prints its peak memory at its end, which is not visible from outside.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ peakMb: peakKb() / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }));
});

/** Linux counts what the parent had when it forked into maxRSS; its own page says what this program had. */
function peakKb(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
