import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { contactPath } from '../src/features/messages/contract.ts';

export type SlowClients = Disposable & {
  /** Connections that the server has not ended yet. */
  held(): number;
};

/** Slow headers, a slow body, and many requests whose responses are not read. */
const kinds = [
  { first: 'GET / HTTP/1.1\r\nHost: a\r\n', more: 'X-A: b\r\n' },
  {
    first: `POST ${contactPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`,
    more: ' ',
  },
  { first: 'GET /terms-and-condition HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100), more: '' },
];

/** Opens connections that are as slow as the limits allow, and reopens those that the server closes. */
export async function openSlowClients(
  port: number,
  count: number,
  { only = kinds.length, againMs = 0 } = {},
): Promise<SlowClients> {
  const sockets = new Map<Socket, string>();
  let isOver = false;

  async function open(kind: (typeof kinds)[number]): Promise<void> {
    const socket = connect(port, '127.0.0.1').pause();
    sockets.set(socket, kind.more);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      setTimeout(() => isOver || open(kind).catch(() => undefined), againMs);
    });
    await once(socket, 'connect');
    socket.write(kind.first);
  }
  await Promise.all(Array.from({ length: count }, (_, at) => open(kinds[at % only] as never)));
  const drip = setInterval(() => {
    for (const [socket, text] of sockets) if (text && socket.writable) socket.write(text);
  }, 500);
  return {
    held: () => sockets.size,
    [Symbol.dispose]() {
      isOver = true;
      clearInterval(drip);
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}

/** Milliseconds of a visitor's requests, four at a time, each on its own connection. */
export async function measureVisits(origin: string, count: number): Promise<{ p50: number; p99: number }> {
  const agent = new Agent({ keepAlive: false, maxSockets: 4 });
  const times: number[] = [];
  const visit = async () => {
    while (times.length < count) {
      const started = performance.now();
      times.push(Number.POSITIVE_INFINITY);
      const at = times.length - 1;
      const asked = request(`${origin}/faq`, { agent }).end();
      const [answer] = await once(asked, 'response');
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
      await once(answer.resume(), 'end');
      times[at] = performance.now() - started;
    }
  };
  await Promise.all([visit(), visit(), visit(), visit()]);
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] as number;
  return { p50: at(0.5), p99: at(0.99) };
}
