import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { readMetrics } from '../tests/harness/metrics.ts';
import type { StartedProcess } from '../tests/harness/process.ts';

export type Usage = { cpuSeconds: number; residentBytes: number };

/** What a server process has used so far, as its metrics port says. */
export async function readUsage(started: StartedProcess): Promise<Usage> {
  const find = () => /Metrics are at ([^\s"]+)/.exec(started.output())?.[1];
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  const answer = await fetch(find() as string);
  const samples = readMetrics(await answer.text());
  return {
    cpuSeconds: samples.get('process_cpu_seconds_total') as number,
    residentBytes: samples.get('process_resident_memory_bytes') as number,
  };
}

export async function cpuSecondsOf(started: StartedProcess, work: () => Promise<unknown>): Promise<number> {
  const before = await readUsage(started);
  await work();
  const after = await readUsage(started);
  return after.cpuSeconds - before.cpuSeconds;
}

/** A form whose body comes in so many chunks of this size. */
export function chunkedForm(path: string, chunks: number, size: number): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(chunks)}0\r\n\r\n`;
}

/** So many keep-alive connections that ask this often for a page, and read each answer before they go on. */
export async function visitPages(port: number, connections: number, each: number): Promise<void> {
  const visit = async () => {
    const socket = connect(port, '127.0.0.1');
    let wanted = 0;
    for (let count = 0; count < each; count += 1) {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n');
      for (let bytes = 0; bytes === 0 || bytes < wanted; ) {
        const [piece] = await once(socket, 'data');
        wanted ||= readLength(String(piece));
        bytes += piece.length;
      }
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, visit));
}

/** Of a whole answer, from its beginning; every answer is as long. */
function readLength(text: string): number {
  return text.indexOf('\r\n\r\n') + 4 + Number(/^content-length: (\d+)/im.exec(text)?.[1]);
}

/** So many connections that ask this often for a page at once, and read nothing of what comes. */
export async function pipelineUnread(port: number, connections: number, each: number): Promise<Disposable> {
  const bytes = 'GET / HTTP/1.1\r\nHost: 127.0.0.1:3000\r\n\r\n'.repeat(each);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket.pause(), 'connect');
    socket.write(bytes);
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: connections }, open));
  return {
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
