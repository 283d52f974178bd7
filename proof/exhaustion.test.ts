import { afterAll, expect, test } from 'vitest';
import { contactPath } from '../src/features/messages/contract.ts';
import { limits } from '../src/lib/limits.ts';
import { readMetrics } from '../tests/harness/metrics.ts';
import { copyProject, type StartedProcess } from '../tests/harness/process.ts';
import { sendRaw } from '../tests/harness/raw-http.ts';

/** A process of its own: its CPU time is not that of the tests. */
const copy = copyProject();
afterAll(() => copy[Symbol.asyncDispose]());
const server = copy.start({ METRICS_PORT: '0' });
const port = Number(new URL(await server.address()).port);

const times = 3;
const repeat = async (work: () => Promise<unknown>) => {
  for (let count = 0; count < times; count += 1) await work();
};

/** As long as a form may be, which in chunks of one byte takes 2.3 MB. */
test.each([
  ['a form', contactPath],
  ['what no endpoint reads', '/api/nothing'],
  ['what is not there', '/nothing'],
])(
  'one-byte chunks for %s cost little more CPU time than a form of as many bytes in honest chunks',
  {
    timeout: 120_000,
  },
  async (_, path) => {
    const honest = chunkedForm(contactPath, limits.maxFormBytes / 1536, 1536);
    const attack = chunkedForm(path, limits.maxFormBytes, 1);
    await sendRaw(port, honest, 1);
    const honestSeconds = await cpuSecondsOf(server, () => repeat(() => sendRaw(port, honest, 1)));
    const attackSeconds = await cpuSecondsOf(server, () => repeat(() => sendRaw(port, attack, 1)));
    expect(attackSeconds).toBeLessThan(5 * honestSeconds);
  },
);

/** What a server process has used so far, as its metrics port says. */
async function readCpuSeconds(started: StartedProcess): Promise<number> {
  const find = () => /Metrics are at ([^\s"]+)/.exec(started.output())?.[1];
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  const answer = await fetch(find() as string);
  return readMetrics(await answer.text()).get('process_cpu_seconds_total') as number;
}

async function cpuSecondsOf(started: StartedProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await readCpuSeconds(started);
  await work();
  return (await readCpuSeconds(started)) - before;
}

/** A form whose body comes in so many chunks of this size. */
function chunkedForm(path: string, chunks: number, size: number): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(chunks)}0\r\n\r\n`;
}
