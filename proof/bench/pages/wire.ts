import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

export type Wire = AsyncDisposable & { origin: string };

/** A way to the site that takes its time, as every way does but the one within a machine. */
export async function createWire(origin: string, roundTripMs: number): Promise<Wire> {
  const open = new Set<Socket>();
  const server = createServer(visitor => {
    const behind = connect(Number(new URL(origin).port), '127.0.0.1');
    for (const [socket, other] of [
      [visitor, behind],
      [behind, visitor],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy()).once('close', () => open.delete(socket));
    }
    // The kernel has taken the connection by itself: its round trip is made up for before the first byte.
    carry(visitor, behind, roundTripMs / 2, performance.now() + roundTripMs);
    carry(behind, visitor, roundTripMs / 2, 0);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise(done => server.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** Hands on everything in order, each part so much later than it came, and none before a certain time. */
function carry(from: Readable, to: Writable, delayMs: number, notBefore: number): void {
  const later = (act: () => void) => {
    const now = performance.now();
    setTimeout(act, Math.max(now, notBefore) - now + delayMs);
  };
  from.on('data', part => later(() => to.write(part)));
  from.once('end', () => later(() => to.end()));
}
