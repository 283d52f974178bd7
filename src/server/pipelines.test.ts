import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { collectLog } from '../../tests/harness/site.ts';
import { type ConnectionLimits, defaultLimits, limitConnections } from './connections.ts';

const large = Buffer.alloc(8 * 1024 * 1024);
const request = (path: string, method = 'GET', body = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n${body ? `Content-Length: ${body.length}\r\n` : ''}\r\n${body}`;
/** What Node reads at a time, and what the operating system takes on top before anything is read. */
const readBytes = 64 * 1024;

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function start(limits: Partial<ConnectionLimits> = {}) {
  const held: ServerResponse[] = [];
  const sockets = new Set<Socket>();
  let handled = 0;
  server = createServer({ optimizeEmptyRequests: true });
  const connections = limitConnections(server, { ...defaultLimits, max: 100, ...limits }, collectLog().log);
  server.on('connection', socket => sockets.add(socket));
  server.on('request', (asked, response) =>
    connections.receive(asked, response, async () => {
      handled += 1;
      const { url = '' } = asked;
      if (url === '/held') return void held.push(response);
      let body = '';
      if (asked.method === 'POST') for await (const piece of asked) body += piece;
      response.end(url === '/large' ? large : `[${url} ${body.length}]`);
      connections.onResponse(response);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (bytes: string) => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(client, 'connect');
    client.write(bytes);
    return client;
  };
  const bytesRead = () => Math.max(...[...sockets].map(socket => socket.bytesRead));
  return { open, held, bytesRead, handled: () => handled };
}

/** What the answers say, until there are so many. */
async function readBodies(client: Socket, count: number): Promise<string[]> {
  let text = '';
  client.setEncoding('latin1').on('data', piece => {
    text += piece;
  });
  const bodies = () => [...text.matchAll(/\[(.*?)\]/g)].map(([, body = '']) => body);
  client.resume();
  await expect.poll(() => bodies().length).toBe(count);
  return bodies();
}

describe('pipelined requests', () => {
  test('are handled eight at a time, and the connection is not read meanwhile', async () => {
    const { open, held, bytesRead, handled } = await start();
    const client = await open(request('/held').repeat(100_000));
    client.resume();
    await expect.poll(() => held.length).toBe(8);
    await wait(200);
    expect(handled()).toBe(8);
    expect(bytesRead()).toBeLessThanOrEqual(3 * readBytes);
    for (const response of held.splice(0, 3)) response.end();
    await expect.poll(() => handled()).toBe(11);
    client.destroy();
  });

  test('are answered in order, whatever their number and kind', async () => {
    const { open } = await start();
    const kinds = (at: number) => [
      request(`/get-${at}`),
      request(`/head-${at}`, 'HEAD'),
      request(`/post-${at}`, 'POST', 'x'.repeat(1 + at)),
    ];
    const numbers = Array.from({ length: 1000 }, (_, at) => at);
    const client = await open(numbers.flatMap(kinds).join(''));
    const expected = numbers.flatMap(at => [`/get-${at} 0`, `/post-${at} ${1 + at}`]);
    expect(await readBodies(client, expected.length)).toEqual(expected);
    client.destroy();
  });

  test('continue once the client reads, and so do those that were paused meanwhile', async () => {
    const { open, handled } = await start();
    const other = (await open(request('/large'))).pause();
    await expect.poll(() => handled()).toBe(1);
    const client = await open(request('/large') + request('/small').repeat(500));
    client.pause();
    await wait(100);
    for (const [one, count] of [
      [client, 500],
      [other, 0],
    ] as const) {
      expect(await readBodies(one, count)).toHaveLength(count);
      one.write(request('/again'));
      expect(await readBodies(one, 1)).toEqual(['/again 0']);
      one.end();
      await once(one, 'close');
    }
  });

  test('are not read while more than 256 KB of a response are unread, and are aborted after the stall limit', async () => {
    const { open, bytesRead, handled } = await start({ stalledMs: 700 });
    const client = (await open(request('/large'))).pause();
    await expect.poll(() => handled()).toBe(1);
    const read = bytesRead();
    client.write(request('/small').repeat(10_000));
    await wait(200);
    // Out of its own way of reading, Node fills the buffer of the socket once.
    expect(bytesRead() - read).toBeLessThanOrEqual(2 * readBytes);
    expect(handled()).toBe(1);
    await expect.poll(countConnections).toBe(0);
    client.destroy();
  });

  test('that end with a CONNECT do not reach a parser that another connection reuses', async () => {
    const { open } = await start();
    server.on('connect', (_, socket) => socket.resume().write('refused'));
    const client = await open(request('a.example:443', 'CONNECT'));
    await once(client, 'data');
    const others = await Promise.all(Array.from({ length: 5 }, () => open(request('/one').slice(0, 20))));
    client.write(request('/stolen').repeat(3));
    await wait(50);
    for (const other of others) other.write(request('/one').slice(20));
    for (const other of others) expect(await readBodies(other, 1)).toEqual(['/one 0']);
    for (const socket of [client, ...others]) socket.destroy();
  });
});

function countConnections(): Promise<number> {
  return new Promise(resolve => server.getConnections((_, count) => resolve(count)));
}
