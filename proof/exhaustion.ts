import { expect } from 'vitest';
import { readMetrics } from '../tests/harness/metrics.ts';
import type { StartedProcess } from '../tests/harness/process.ts';

/** What a server process has used so far, as its metrics port says. */
async function readCpuSeconds(started: StartedProcess): Promise<number> {
  const find = () => /Metrics are at ([^\s"]+)/.exec(started.output())?.[1];
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  const answer = await fetch(find() as string);
  return readMetrics(await answer.text()).get('process_cpu_seconds_total') as number;
}

export async function cpuSecondsOf(started: StartedProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await readCpuSeconds(started);
  await work();
  return (await readCpuSeconds(started)) - before;
}

/** A form whose body comes in so many chunks of this size. */
export function chunkedForm(path: string, chunks: number, size: number): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(chunks)}0\r\n\r\n`;
}
