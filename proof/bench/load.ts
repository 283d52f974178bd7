import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createHistogram, type Histogram } from './histogram.ts';
import { createResponseReader } from './response-reader.ts';

/** Run as a process of its own: takes a LoadOrder as a message, answers with a LoadResult or a failure. */

export type LoadOrder = {
  /** The connections are spread over them evenly. */
  ports: readonly number[];
  path: string;
  connections: number;
  seconds: number;
  bodyBytes: number;
  /** JSON to post; without it the path is fetched. */
  post?: string;
};
export type LoadResult = {
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Of one core: near 1 the generator, not the server, sets the pace. */
  generatorCpu: number;
};
export type LoadReply = { result: LoadResult } | { failure: string };

/** How long answers may still take when the time is up. */
const drainMs = 5000;

process.on('message', (order: LoadOrder) => {
  runLoad(order).then(
    result => process.send?.({ result } satisfies LoadReply),
    error => process.send?.({ failure: String(error) } satisfies LoadReply),
  );
});
process.once('disconnect', () => process.exit());

/** Each connection asks again as soon as it is answered, until the time is up. */
async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const sockets: Socket[] = [];
  const latencies = createHistogram();
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const until = started + order.seconds * 1000;
  try {
    await within(order.seconds * 1000 + drainMs, finished => {
      let open = order.connections;
      const done = (error?: Error) => {
        open--;
        if (error || open === 0) finished(error);
      };
      for (let index = 0; index < order.connections; index++) {
        const port = order.ports[index % order.ports.length] as number;
        sockets.push(send(order, port, until, latencies, done));
      }
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const seconds = (performance.now() - started) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    requests: latencies.count(),
    seconds,
    p50Ms: latencies.quantile(0.5),
    p99Ms: latencies.quantile(0.99),
    generatorCpu: (cpu.user + cpu.system) / 1e6 / seconds,
  };
}

function writeRequest({ path, post }: LoadOrder, port: number): Buffer {
  const host = `Host: 127.0.0.1:${port}`;
  if (post === undefined)
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${host}\r\nAccept-Encoding: gzip\r\n\r\n`);
  const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(post)}`;
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${host}\r\n${head}\r\n\r\n${post}`);
}

function send(
  order: LoadOrder,
  port: number,
  until: number,
  latencies: Histogram,
  done: (error?: Error) => void,
): Socket {
  const request = writeRequest(order, port);
  let sentAt = 0;
  const reader = createResponseReader({
    bodyBytes: order.bodyBytes,
    onResponse() {
      const now = performance.now();
      latencies.add(now - sentAt);
      if (now < until) send(now);
      else done();
    },
  });
  // One buffer for all that a connection receives: the generator must stay cheaper than what it measures.
  const onread = {
    buffer: Buffer.allocUnsafeSlow(65_536),
    callback(length: number, buffer: Uint8Array): boolean {
      try {
        reader.read(buffer.subarray(0, length) as Buffer);
      } catch (error) {
        done(error as Error);
      }
      return true;
    },
  };
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
  const send = (now: number) => {
    sentAt = now;
    socket.write(request);
  };
  socket.once('connect', () => send(performance.now()));
  socket.once('error', done);
  socket.once('end', () => done(new Error(`The server on port ${port} closed a connection`)));
  return socket;
}

function within(ms: number, work: (finished: (error?: Error) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Answers were missing after ${ms} ms`)), ms);
    work(error => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    });
  });
}
