import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrated, layOutAll, visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1280, height: 800 } };

/** The parts that no window shows at first, and what has become of each. */
const marks = (page: Page) =>
  page.locator('[data-far]').evaluateAll(parts => parts.map(part => (part as HTMLElement).dataset.far));
const heights = (page: Page) =>
  page
    .locator('main section, main li, footer')
    .evaluateAll(parts => parts.map(part => Math.round(part.getBoundingClientRect().height)));

test.each(
  ['/', '/creator', '/faq', '/contact'].flatMap(path => [
    { path, on: 'a phone', screen: phone },
    { path, on: 'a desktop', screen: desktop },
  ]),
)('what rests far below is as high as it is when it is shown, on $path, on $on', async ({ path, screen }) => {
  const page = await visit.open(screen);
  await page.goto(path);
  await expect.poll(() => marks(page)).not.toContain('');
  await expect.poll(() => marks(page)).toContain('laid');
  const resting = await heights(page);
  await layOutAll(page);
  expect(resting).toEqual(await heights(page));
});

test('the end of a page is where a leap to it leads, and stays there', async () => {
  const page = await visit.open(phone);
  await page.goto('/faq');
  await expect.poll(() => marks(page)).not.toContain('');
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const below = () =>
    page.evaluate(() => Math.floor(document.documentElement.scrollHeight - scrollY - innerHeight));
  expect(await below()).toBe(0);
  await hydrated(page);
  await page.waitForTimeout(200);
  expect(await below()).toBe(0);
});

test('nothing that is fixed to the window stands in a part that rests: it would be fixed to that', async () => {
  const { page } = visit;
  for (const path of ['/', '/creator', '/faq', '/contact']) {
    await page.goto(path);
    await wake(page);
    const fixed = await page
      .locator('section[data-far] *')
      .evaluateAll(elements =>
        elements
          .filter(element => getComputedStyle(element).position === 'fixed')
          .map(element => element.outerHTML),
      );
    expect(fixed).toEqual([]);
  }
});
