import puppeteer from 'puppeteer-core';
import type { Driver } from './driver.ts';

/** Nothing but this machine is reached: there is no such proxy. */
const proxy = ['http', 'ssl'].flatMap(scheme => [
  [`network.proxy.${scheme}`, '127.0.0.1'],
  [`network.proxy.${scheme}_port`, 9],
]);
const settings = {
  chrome: { args: ['--no-sandbox', '--disable-gpu', '--proxy-server=127.0.0.1:9'] },
  firefox: { extraPrefsFirefox: Object.fromEntries([['network.proxy.type', 1], ...proxy]) },
};

/** Firefox over WebDriver BiDi, Chromium over its own protocol. */
export async function launchPuppeteer(
  browserName: 'chrome' | 'firefox',
  found: { executablePath: string; env?: Record<string, string | undefined> },
): Promise<Driver> {
  const browser = await puppeteer.launch({
    ...{ browser: browserName, acceptInsecureCerts: true, headless: true },
    ...settings[browserName],
    ...found,
  });
  // Without a window Chromium asks nobody, and refuses.
  const permission = { permission: { name: 'clipboard-write' }, state: 'granted' };
  if (browserName === 'chrome') await browser.setPermission('*', permission);
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', (message: { type(): string; text(): string }) => {
    if (['error', 'warn'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error: unknown) => problems.push(String(error)));
  return {
    version: await browser.version(),
    problems,
    goto: url => page.goto(url),
    evaluate: expression => page.evaluate(expression),
    moveMouse: (x, y) => page.mouse.move(x, y),
    pressMouse: () => page.mouse.down(),
    releaseMouse: () => page.mouse.up(),
    turnWheel: (deltaX, deltaY) => page.mouse.wheel({ deltaX, deltaY }),
    type: text => page.keyboard.type(text),
    pressKey: key => page.keyboard.press(key),
    resize: (width, height) => page.setViewport({ width, height }),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
