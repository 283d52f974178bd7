/** Milliseconds of this thread's own work: a busy machine takes longer for the same, and does no more of it. */
export function measureCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
