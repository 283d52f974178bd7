import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { contactPath } from '../src/features/messages/contract.ts';
import { copyProject } from '../tests/harness/process.ts';
import { startSite } from '../tests/harness/site.ts';
import { writeResult } from './figures.ts';

/** With how many connections they keep at least, and the p99 below which it is that of the machine. */
test.each([
  [50, 1, 50, 20],
  [500, 25, 476, 0],
])('%d slow clients for %d s delay no other visitor', async (clients, seconds, least, noiseMs) => {
  await using copy = copyProject();
  const address = await copy.start().address();
  await measureVisits(address, 2000);
  const quiet = await measureVisits(address, 4000);
  using slow = await openSlowClients(Number(new URL(address).port), clients);
  // What they ask for all at once is a load like any other; what counts is that they stay.
  await measureVisits(address, 1000);
  const rounds: { p99: number; held: number }[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until)
    rounds.push({ p99: await measureVisits(address, 2000), held: slow.held() });
  const worst = Math.max(...rounds.map(({ p99 }) => p99));
  const fewest = Math.min(...rounds.map(({ held }) => held));
  process.stdout.write(
    `${clients} slow clients (never fewer than ${fewest}), ${rounds.length} rounds: p99 ${worst.toFixed(1)} ms at worst, quiet ${quiet.toFixed(1)} ms\n`,
  );
  if (process.env.FIGURES && clients === 500) {
    const name = `p99 of pages beside ${clients} slow clients, as a multiple of quiet`;
    writeResult('slow-clients', [{ name, values: rounds.map(({ p99 }) => p99 / quiet), goal: 'under 5' }]);
  }
  expect(fewest).toBeGreaterThanOrEqual(least);
  expect(worst).toBeLessThan(5 * Math.max(quiet, noiseMs));
});

test('more silent clients than MAX_CONNECTIONS leave capacity for visitors', async () => {
  await using site = await startSite({ MAX_CONNECTIONS: '40' });
  const port = Number(new URL(site.origin).port);
  using _slow = await openSlowClients(port, 60, { only: 1, againMs: 100 });
  await measureVisits(site.origin, 100);
  expect(site.lines.filter(line => line.includes('connection limit near'))).toHaveLength(1);
});

test('a client that got 408 is disconnected, though it goes on sending', async () => {
  await using site = await startSite();
  const port = Number(new URL(site.origin).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
  const gone = new Promise(resolve => {
    socket.on('error', () => undefined).on('close', resolve);
  });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
  const drip = setInterval(() => socket.write('x'), 200);
  await once(socket, 'end');
  const told = performance.now();
  await gone;
  clearInterval(drip);
  expect(performance.now() - told).toBeLessThan(4000);
}, 15_000);

test('a client that pipelines and reads slowly gets all responses', async () => {
  await using site = await startSite();
  const port = Number(new URL(site.origin).port);
  const count = 120;
  const socket = connect(port, '127.0.0.1').pause();
  socket.write(`GET /?${'a'.repeat(8000)} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count));
  const statusLine = 'HTTP/1.1 200 OK\r\n';
  let answers = 0;
  let unread = '';
  const read = () => {
    // A status line may be split between two reads.
    unread = unread.slice(1 - statusLine.length) + String(socket.read(64 * 1024) ?? '');
    answers += unread.split(statusLine).length - 1;
  };
  // The server leaves a request unread for longer than a client may take to send one.
  const spoon = setInterval(read, 500);
  await new Promise(done => setTimeout(done, 13_000));
  clearInterval(spoon);
  expect(answers).toBeLessThan(count);
  const gulp = setInterval(read, 5);
  await expect.poll(() => answers).toBe(count);
  clearInterval(gulp);
  socket.destroy();
}, 30_000);

type SlowClients = Disposable & {
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
async function openSlowClients(
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

/** The p99 of a visitor's requests in ms, four at a time, each on its own connection. */
async function measureVisits(origin: string, count: number): Promise<number> {
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
  return times[Math.ceil(times.length * 0.99) - 1] as number;
}
