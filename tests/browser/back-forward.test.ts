import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { launchBrowser } from '../harness/browser.ts';
import { findSystemBrowser } from '../harness/find-browser.ts';
import { wake } from '../harness/page.ts';
import { startSite, type TestSite } from '../harness/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site[Symbol.asyncDispose]());

// Playwright disables the back/forward cache by default.
const withCache = { ignoreDefaultArgs: ['--disable-back-forward-cache'] };
describe('no page disables the back/forward cache', () => {
  /** The headless browser reports this for every page, because it has no such cache. */
  const itsOwn = ['BackForwardCacheDisabledForDelegate', 'BrowsingInstanceNotSwapped'];
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(withCache);
  });
  afterAll(() => browser.close());

  test('before and after hydration', async () => {
    const page = await open(browser);
    for (const path of Object.values(paths)) {
      await page.goto(path);
      await fillIn(page);
      expect({ path, reasons: await leaveAndReturn(page) }).toEqual({ path, reasons: itsOwn });
      // Loaded again, so not hydrated yet.
      await wake(page);
      await fillIn(page);
      expect({ path, reasons: await leaveAndReturn(page) }).toEqual({ path, reasons: itsOwn });
    }
  });

  test('the check detects a page that does', async () => {
    const page = await open(browser);
    await page.goto('/contact');
    await page.evaluate(() => addEventListener('unload', () => undefined));
    expect(await leaveAndReturn(page)).not.toEqual(itsOwn);
  });

  async function leaveAndReturn(page: Page): Promise<string[]> {
    const session = await page.context().newCDPSession(page);
    const { promise, resolve } = Promise.withResolvers<string[]>();
    session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
      resolve(notRestoredExplanations.map(({ reason }) => reason).sort()),
    );
    await session.send('Page.enable');
    await page.goto('/robots.txt');
    await page.goBack();
    return promise;
  }
});

const desktop = findSystemBrowser();

describe.skipIf(!desktop)('the back/forward cache restores a page as it was left', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser({ ...withCache, executablePath: desktop ?? '', env: process.env });
  });
  afterAll(() => browser.close());

  test('before and after hydration', async () => {
    const page = await open(browser);
    await page.addInitScript(recordRestored);
    for (const path of [paths.home, paths.contact, paths.faq]) {
      await page.goto(path);
      for (const arrive of [async () => undefined, wake]) {
        await arrive(page);
        await fillIn(page);
        await page.evaluate(() => Reflect.deleteProperty(globalThis, 'isKept'));
        await page.goto('/robots.txt');
        // A page from the cache does not load.
        await page.goBack({ waitUntil: 'commit' });
        await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'isKept'))).toBe(true);
        for (const field of await page.locator('main textarea').all())
          expect(await field.inputValue()).toBe('Half a mess');
      }
    }
  });

  test('the check detects a page that is not cached', async () => {
    const page = await open(browser);
    await page.addInitScript(recordRestored);
    await page.goto(paths.contact);
    await page.evaluate(() => addEventListener('unload', () => undefined));
    await page.goto('/robots.txt');
    await page.goBack({ waitUntil: 'commit' });
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'isKept'))).toBe(false);
  });
});

/** Runs in every page and records whether it was restored from the cache. */
function recordRestored(): void {
  addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { isKept: persisted }));
}

async function open(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.origin, reducedMotion: 'reduce' });
  return context.newPage();
}

async function fillIn(page: Page): Promise<void> {
  for (const field of await page.locator('main textarea').all()) await field.fill('Half a mess');
}
