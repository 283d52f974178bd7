import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { delayChunks, hydrated, visitSite, wake } from '../harness/page.ts';

const visit = visitSite();

type Ahead = { url: string; status: string };

/** The paths that the browser has prefetched or prerendered. */
async function recordPrefetches(page: Page): Promise<() => string[]> {
  const session = await page.context().newCDPSession(page);
  const seen: Ahead[] = [];
  session.on('Preload.prefetchStatusUpdated', ({ prefetchUrl: url, status }) => seen.push({ url, status }));
  await session.send('Preload.enable');
  return () => [
    ...new Set(
      seen.filter(({ status }) => status === 'Ready').map(({ url }) => url.slice(visit.site.origin.length)),
    ),
  ];
}

describe('speculation rules prefetch a page', () => {
  test('on hover before hydration, and the navigation uses it', async () => {
    const { page } = visit;
    const ahead = await recordPrefetches(page);
    await delayChunks(page);
    await visit.go('/');
    const link = page.locator(`header a[href="${paths.services}"]:visible`);
    await link.hover();
    await expect.poll(ahead).toEqual([paths.services]);
    await link.click();
    await page.waitForURL(paths.services);
    const [entry] = await page.evaluate(() =>
      performance.getEntriesByType('navigation').map(one => one.toJSON()),
    );
    expect(entry.deliveryType).toBe('navigational-prefetch');
  });

  test('except the current page, URLs with effects, and files', async () => {
    const { page } = visit;
    const ahead = await recordPrefetches(page);
    await delayChunks(page);
    await visit.go('/');
    await page.locator('main').evaluate(main => {
      const hrefs = [
        '/contact?token=x',
        '/newsletter/confirm',
        '/newsletter/leave?id=x',
        '/api/token',
        '/llms.txt',
      ];
      for (const href of hrefs) {
        const link = Object.assign(document.createElement('a'), { href, textContent: href });
        link.style.display = 'block';
        main.prepend(link);
      }
    });
    for (const link of await page.locator('main > a').all()) {
      await link.hover();
      await page.waitForTimeout(350);
    }
    await page.locator('header nav a[aria-current]:visible').hover();
    await page.waitForTimeout(350);
    expect(ahead()).toEqual([]);
    await page.locator(`header a[href="${paths.services}"]:visible`).hover();
    await expect.poll(ahead).toEqual([paths.services]);
  });

  test('not after hydration', async () => {
    const { page } = visit;
    const ahead = await recordPrefetches(page);
    await visit.go('/');
    await wake(page);
    await page.locator(`header a[href="${paths.services}"]:visible`).hover();
    await page.waitForTimeout(500);
    expect(ahead()).toEqual([]);
  });
});

test('a prerendered page sends, moves and focuses nothing before activation', async () => {
  const { page } = visit;
  await page.addInitScript(() => {
    Object.defineProperty(document, 'prerendering', { get: () => !('isShown' in globalThis) });
    // An unsent message would start hydration at once and be sent.
    sessionStorage.setItem('unsent-message:contact', '{}');
  });
  await page.goto(paths.contact, { waitUntil: 'networkidle' });
  await page.mouse.move(5, 300);
  await page.mouse.move(60, 320);
  await page.waitForTimeout(300);
  expect(visit.requests.filter(path => /^\/api\/|\/main-/.test(path))).toEqual([]);
  const state = () =>
    page.evaluate(() => [document.documentElement.dataset.script, document.activeElement?.tagName]);
  expect(await state()).toEqual([undefined, 'BODY']);

  await page.evaluate(() => {
    Object.assign(globalThis, { isShown: true });
    document.dispatchEvent(new Event('prerenderingchange'));
  });
  await hydrated(page);
  expect(await state()).toEqual(['react', 'BODY']);
});
