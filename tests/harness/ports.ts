import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port for a server that restarts on it: below the ephemeral range, so that no connection takes it meanwhile. */
export async function findLastingPort(): Promise<number> {
  const port = randomInt(12_000, 30_000);
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return findLastingPort();
  }
  await once(probe.close(), 'close');
  return port;
}
