import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { launchBrowser } from '../../tests/harness/browser.ts';

/** A browser that Lighthouse can reach, without what Playwright switches off for its own sake. */
export async function openBrowser(): Promise<AsyncDisposable & { port: number }> {
  const port = await findPort();
  const browser = await launchBrowser({
    args: [`--remote-debugging-port=${port}`],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  return { port, [Symbol.asyncDispose]: () => browser.close() };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
