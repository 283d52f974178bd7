import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startSite } from './harness/site.ts';

test('more slow clients than the connection limit do not keep visitors out', async () => {
  await using site = await startSite({ MAX_CONNECTIONS: '40' });
  const slow = new Set<Socket>();
  let isOver = false;
  /** Sends half a request, and comes back when the server ends its connection. */
  const open = () => {
    if (isOver) return;
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
    slow.add(socket);
    socket.on('error', () => undefined).once('close', () => setTimeout(open, 100));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
  };
  for (let count = 0; count < 60; count += 1) open();
  await expect.poll(() => site.lines.filter(line => line.includes('connection limit near'))).toHaveLength(1);
  for (let visits = 0; visits < 10; visits += 1) {
    const answer = await fetch(`${site.origin}/faq`, { headers: { connection: 'close' } });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  }
  isOver = true;
  for (const socket of slow) socket.destroy();
});
