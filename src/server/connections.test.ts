import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { collectLog } from '../../tests/harness/site.ts';
import { type ConnectionLimits, defaultLimits, limitConnections } from './connections.ts';

const large = Buffer.alloc(64 * 1024 * 1024);
let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Answers with far more than any buffer on the way holds. */
async function start(limits: Partial<ConnectionLimits>) {
  const { log, lines } = collectLog();
  let requests = 0;
  server = createServer();
  const wide = { ...defaultLimits, max: 100, stalledMs: 60_000, answerMs: 60_000, busyMs: 60_000 };
  const connections = limitConnections(server, { ...wide, ...limits }, log);
  server.on('request', (request, response) => {
    connections.receive(request, response, () => {
      requests += 1;
      if (request.url === '/slow') return;
      response.end(request.url === '/large' ? large : 'small');
      connections.onResponse(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (text = '') => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  return { open, lines, asked: () => requests };
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const closed = (socket: Socket) => {
  const ended = once(socket, 'close');
  socket.resume();
  return ended;
};

describe('a response', () => {
  test('that the client does not read is aborted', async () => {
    const { open } = await start({ stalledMs: 100 });
    const socket = (await open(ask('/large'))).pause();
    const [accepted] = await once(server, 'request');
    await once(accepted.socket, 'close');
    socket.destroy();
  });

  test('that the client reads too slowly is aborted', async () => {
    const { open } = await start({ answerMs: 300 });
    const socket = (await open(ask('/large'))).pause();
    const spoon = setInterval(() => socket.read(64 * 1024), 20);
    const [accepted] = await once(server, 'request');
    await once(accepted.socket, 'close');
    clearInterval(spoon);
    socket.destroy();
  });

  test('that was sent at once has no timer', async () => {
    const { open } = await start({ answerMs: 1 });
    const socket = await open(ask('/'));
    await once(socket, 'data');
    await new Promise(done => setTimeout(done, 50));
    expect(socket.closed).toBe(false);
    socket.destroy();
  });
});

describe('at the connection limit', () => {
  test('idle connections are closed first, then the oldest that sent nothing', async () => {
    const { open, lines } = await start({ max: 10 });
    const idle = await open(ask('/'));
    await once(idle, 'data');
    const silent: Socket[] = [];
    for (let count = 0; count < 8; count += 1) silent.push(await open('GET '));
    const gone = [closed(idle), closed(silent[0] as Socket)];
    for (let count = 0; count < 3; count += 1) {
      const visitor = await open(ask('/'));
      await once(visitor, 'data');
      visitor.destroy();
    }
    await Promise.all(gone);
    expect(lines.filter(line => line.includes('connection limit near'))).toHaveLength(1);
  });

  test('connections that write or read very slowly are closed', async () => {
    const { open, asked } = await start({ max: 10, busyMs: 300 });
    const writing = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n';
    const slow: Socket[] = [];
    for (let count = 0; count < 9; count += 1) {
      slow.push((await open(count % 2 ? writing : ask('/large'))).pause());
    }
    await expect.poll(asked).toBe(9);
    await new Promise(done => setTimeout(done, 350));
    const visitor = await open(ask('/'));
    await once(visitor, 'data');
    visitor.destroy();
    for (const socket of slow) socket.resume();
    await expect.poll(() => slow.every(socket => socket.closed)).toBe(true);
  });
});
