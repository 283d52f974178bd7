import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { collectLog } from '../../../tests/harness/site.ts';
import { type ConnectionLimits, defaultLimits, limitConnections } from './connections.ts';
import { releaseSocket } from './http-pipelining.ts';

/** Large: more than a response may leave unread. Huge: more than any buffer on the way holds. */
const bodies: Record<string, Buffer> = {
  '/large': Buffer.alloc(8 * 1024 * 1024),
  '/huge': Buffer.alloc(64 * 1024 * 1024),
};
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** What Node reads at a time, and what the operating system takes on top before anything is read. */
const readBytes = 64 * 1024;

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function start(limits: Partial<ConnectionLimits> = {}) {
  const { log, lines } = collectLog();
  const held: ServerResponse[] = [];
  const sockets = new Set<Socket>();
  let handled = 0;
  server = createServer({ optimizeEmptyRequests: true });
  const connections = limitConnections(server, { ...defaultLimits, max: 100, ...limits }, log);
  server.on('connection', socket => sockets.add(socket));
  server.on('request', (asked, response) =>
    connections.receive(asked, response, async () => {
      handled += 1;
      const { url = '' } = asked;
      if (url === '/held') return void held.push(response);
      response.end(bodies[url] ?? url);
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
  return { open, held, lines, bytesRead, handled: () => handled };
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
});

test('what follows an upgrade is left to its protocol, and no other connection is disturbed', async () => {
  const { open } = await start();
  const received: string[] = [];
  server.on('upgrade', (_, socket, head) => {
    releaseSocket(socket);
    received.push(String(head));
    socket.on('data', bytes => received.push(String(bytes)));
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n');
  });
  const upgrade = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n';
  const client = await open(upgrade + 'x'.repeat(3000));
  await once(client, 'data');
  const other = await open(request('/other'));
  client.write('not HTTP\r\n\r\n');
  await expect.poll(() => received.join('')).toBe(`${'x'.repeat(3000)}not HTTP\r\n\r\n`);
  const answers: string[] = [];
  other.on('data', bytes => answers.push(String(bytes)));
  for (const path of ['/second', '/third']) {
    client.write('not HTTP either\r\n\r\n');
    other.write(request(path));
    await expect.poll(() => answers.join('')).toContain(path);
  }
  expect(answers.join('')).not.toContain('400');
  client.destroy();
  other.destroy();
});

test('at the connection limit, idle connections are closed first, then the oldest that sent nothing', async () => {
  const { open, lines } = await start({ max: 10 });
  const idle = await open(request('/'));
  await once(idle, 'data');
  const silent: Socket[] = [];
  for (let count = 0; count < 8; count += 1) silent.push(await open('GET '));
  const gone = [idle, silent[0] as Socket].map(socket => once(socket.resume(), 'close'));
  for (let count = 0; count < 3; count += 1) {
    const visitor = await open(request('/'));
    await once(visitor, 'data');
    visitor.destroy();
  }
  await Promise.all(gone);
  expect(lines.filter(line => line.includes('connection limit near'))).toHaveLength(1);
});

test('at the connection limit, connections that write or read very slowly are closed', async () => {
  const { open, handled } = await start({ max: 10, busyMs: 300 });
  const writing = 'POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n';
  const slow: Socket[] = [];
  for (let count = 0; count < 9; count += 1) {
    slow.push((await open(count % 2 ? writing : request('/huge'))).pause());
  }
  await expect.poll(handled).toBe(9);
  await wait(350);
  const visitor = await open(request('/'));
  await once(visitor, 'data');
  visitor.destroy();
  for (const socket of slow) socket.resume();
  await expect.poll(() => slow.every(socket => socket.closed)).toBe(true);
});

function countConnections(): Promise<number> {
  return new Promise(resolve => server.getConnections((_, count) => resolve(count)));
}
