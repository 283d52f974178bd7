import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { launchBrowser } from '../harness/browser.ts';
import { hydrate } from '../harness/page.ts';
import { startSite } from '../harness/site.ts';

/** The headless browser reports these for every page, because it has no such cache. */
const alwaysReported = ['BackForwardCacheDisabledForDelegate', 'BrowsingInstanceNotSwapped'];

test('no page prevents the back/forward cache, before and after hydration', async () => {
  await using site = await startSite();
  // Playwright disables the cache by default.
  await using browser = await launchBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  const page = await browser.newPage({ baseURL: site.origin, reducedMotion: 'reduce' });
  for (const path of [paths.home, paths.contact]) {
    await page.goto(path);
    expect(await leaveAndReturn(page), path).toEqual(alwaysReported);
    await hydrate(page);
    expect(await leaveAndReturn(page), path).toEqual(alwaysReported);
  }
  await page.evaluate(() => addEventListener('unload', () => undefined));
  expect(await leaveAndReturn(page), 'a page that prevents it').not.toEqual(alwaysReported);
});

/** Why the browser did not restore the page from its cache. */
async function leaveAndReturn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { promise, resolve } = Promise.withResolvers<string[]>();
  session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
    resolve(notRestoredExplanations.map(({ reason }) => reason).sort()),
  );
  await session.send('Page.enable');
  await page.goto('/robots.txt');
  await page.goBack();
  const reasons = await promise;
  await session.detach();
  return reasons;
}
