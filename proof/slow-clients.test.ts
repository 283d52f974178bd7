import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startSite } from '../tests/harness/site.ts';
import { measureVisits, openSlowClients } from './slow-clients.ts';

/** Below it the figures are those of the machine, which runs other tests meanwhile. */
const noiseMs = 20;

test('50 slow clients delay no other visitor', async () => {
  await using site = await startSite();
  const port = Number(new URL(site.origin).port);
  await measureVisits(site.origin, 100);
  const quiet = await measureVisits(site.origin, 300);
  using slow = await openSlowClients(port, 50);
  // What they ask for all at once is a load like any other; what counts is that they stay.
  await measureVisits(site.origin, 100);
  const held = await measureVisits(site.origin, 300);
  expect(slow.held()).toBe(50);
  expect(held.p99).toBeLessThan(5 * Math.max(quiet.p99, noiseMs));
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
