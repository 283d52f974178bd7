import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { contactPath } from '../../src/features/messages/contract.ts';
import { delayChunks, movePointer, visitSite, waitForHydration, waitForIdle } from '../harness/page.ts';

const visit = visitSite();
const posts = () => visit.requests.filter(path => path === contactPath);

test('hydration starts at the first interaction', async () => {
  const { page } = visit;
  // Every other test begins with the pointer.
  const interactions: Record<string, () => Promise<unknown>> = {
    key: () => page.keyboard.press('Shift'),
    focus: () =>
      page.locator('h1').evaluate(heading => {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }),
    scroll: () => page.evaluate(() => scrollBy(0, 40)),
    'a press that ends outside the page': () =>
      page.evaluate(() => document.body.dispatchEvent(new PointerEvent('pointerdown'))),
  };
  for (const [name, interact] of Object.entries(interactions)) {
    await visit.open('/privacy');
    expect(await page.locator('html').getAttribute('data-script'), name).toBe('boot');
    await interact();
    await waitForHydration(page);
  }
  const touched = await visit.newPage({ hasTouch: true });
  await touched.goto('/privacy');
  await touched.touchscreen.tap(100, 500);
  await waitForHydration(touched);
});

test('hydration keeps scroll position, focus and an open menu', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 800 });
  const release = await delayChunks(page);
  await page.goto('/faq');
  await page.evaluate(() => scrollTo(0, 900));
  await page.getByRole('button', { name: 'Menu' }).click();
  const focused = await page.evaluate(() => document.activeElement?.outerHTML);
  release();
  await waitForHydration(page);
  await waitForIdle(page);
  expect(await page.evaluate(() => scrollY)).toBe(900);
  expect(await page.evaluate(() => document.activeElement?.outerHTML)).toBe(focused);
  expect(await page.locator('#menu').isVisible()).toBe(true);
});

test('hydration is retried with a delay when a file fails to load, and native controls work meanwhile', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource/);
  await page.clock.install();
  for (const name of ['js/main', 'css/site']) {
    let tries = 0;
    const address = new RegExp(`/static/${name}-`);
    await page.route(address, route => {
      tries += 1;
      return route.fulfill({ status: 503, body: '' });
    });
    await visit.open('/faq');
    for (let move = 0; move < 3; move += 1) await movePointer(page);
    await expect.poll(() => tries, { message: name }).toBe(1);
    await page.locator('summary:visible').first().click();
    expect(await page.locator('details[open]').count()).toBe(1);
    expect(await page.locator('html').getAttribute('data-script')).toBe('boot');
    await page.unroute(address);
    await page.clock.fastForward(1000);
    await expect
      .poll(async () => {
        await movePointer(page);
        return page.locator('html').getAttribute('data-script');
      })
      .toBe('react');
  }
});

test('a control that needs React works exactly once when clicked before hydration', async () => {
  const { page } = visit;
  const opened = () => page.locator('details[open]').count();
  const release = await delayChunks(page);
  await page.goto('/faq');
  await page.getByRole('button', { name: 'Open all answers' }).click();
  await waitForIdle(page);
  expect(await opened()).toBe(0);
  release();
  const count = await page.locator('details:has(> [id])').count();
  await expect.poll(opened).toBe(count);
  await waitForIdle(page);
  expect(await opened()).toBe(count);
});

test('a form sent while React hydrates is complete and sent once', async () => {
  const { page } = visit;
  const written = { name: 'Zoë', email: 'zoe@example.com', message: 'First line\nsecond line' };
  const release = await delayChunks(page);
  await visit.open('/contact');
  for (const [name, text] of Object.entries(written)) await page.locator(`#contact-${name}`).fill(text);
  await clickDuringHydration(page, 'main [type=submit]');
  release();
  const reference = await page.getByText(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/).textContent();
  expect(await visit.site.store.messages.get(reference ?? '')).toMatchObject(written);
  expect(posts()).toHaveLength(1);
});

test('a prerendered page sends, moves and focuses nothing before activation', async () => {
  const { page } = visit;
  await page.addInitScript(() => {
    Object.defineProperty(document, 'prerendering', { get: () => !('isShown' in globalThis) });
    // An unsent message would start hydration at once and be sent.
    sessionStorage.setItem('unsent-message:contact', '{}');
  });
  await page.goto('/contact');
  await movePointer(page);
  await waitForIdle(page);
  await page.evaluate(() => fetch('/robots.txt'));
  expect(visit.requests.filter(path => /^\/api\/|\/main-/.test(path))).toEqual([]);
  const state = () =>
    page.evaluate(() => [document.documentElement.dataset.script, document.activeElement?.tagName]);
  expect(await state()).toEqual([undefined, 'BODY']);

  await page.evaluate(() => {
    Object.assign(globalThis, { isShown: true });
    document.dispatchEvent(new Event('prerenderingchange'));
  });
  await waitForHydration(page);
  expect(await state()).toEqual(['react', 'BODY']);
});

/** Clicks when React has attached its listeners but not rendered yet. */
function clickDuringHydration(page: Page, selector: string): Promise<void> {
  return page.evaluate(selector => {
    const root = document.getElementById('root') as HTMLElement;
    const listen = root.addEventListener;
    root.addEventListener = ((...args: Parameters<typeof listen>) => {
      root.addEventListener = listen;
      listen.apply(root, args);
      queueMicrotask(() => document.querySelector<HTMLElement>(selector)?.click());
    }) as typeof listen;
  }, selector);
}
