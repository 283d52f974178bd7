import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../tests/harness/browser.ts';
import { median } from '../spread.ts';
import type { Device } from './visit.ts';

/** A browser that Lighthouse can reach, without what Playwright switches off for its own sake. */
export async function openBrowser(device: Device): Promise<AsyncDisposable & { port: number }> {
  const port = await findPort();
  const isPhone = device === 'mobile';
  const browser = await launchBrowser({
    args: [`--remote-debugging-port=${port}`],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  if (isPhone) await takeMouseAway(browser);
  return { port, [Symbol.asyncDispose]: () => browser.close() };
}

/** Headless Chromium reports a mouse in the corner of each page, and the hit test forces a layout that counts as blocking. */
async function takeMouseAway(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const message = JSON.stringify({ id: 1, method: 'Input.setIgnoreInputEvents', params: { ignore: true } });
  const takeFrom = async (targetId: string) => {
    const { sessionId } = await session.send('Target.attachToTarget', { targetId });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
  };
  session.on('Target.targetCreated', ({ targetInfo: { type, targetId } }) => {
    // A page that was closed meanwhile needs nothing any more.
    if (type === 'page') takeFrom(targetId).catch(() => undefined);
  });
  await session.send('Target.setDiscoverTargets', { discover: true });
}

/** What this machine can do, by Lighthouse's own measure and like it in a browser that has just begun. */
export async function measurePower(): Promise<number> {
  const found: number[] = [];
  for (let count = 0; count < 5; count++) {
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    found.push(await page.evaluate(pageFunctions.computeBenchmarkIndex));
  }
  return median(found);
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
