import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port for a server that restarts on it: below the ephemeral range, so that no connection takes it meanwhile.
 */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 30_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer();
  probe.once('error', () => resolve(false));
  probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  return promise;
}
