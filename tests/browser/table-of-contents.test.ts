import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrate, visitSite } from '../harness/page.ts';
import { paths } from '../harness/site-paths.ts';

const visit = visitSite({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
const contents = (page: Page) => page.getByRole('navigation', { name: 'On this page' });
/** Without the headings of what stands beside the text. */
const headings = (page: Page) => page.locator('main h2:not([id$=_])');

test('without JavaScript it links to every section, beside the text or above it', async () => {
  const page = await visit.newPage({ javaScriptEnabled: false });
  const links = contents(page).getByRole('link');
  await page.goto(paths.privacy);
  const titles = await headings(page).allTextContents();
  expect(titles.length).toBeGreaterThan(3);
  expect(await links.allTextContents()).toEqual(titles);
  await links.nth(3).click();
  expect(await readTop(page, 3)).toBeGreaterThan(72);
  expect(await readTop(page, 3)).toBeLessThan(200);

  await page.setViewportSize({ width: 390, height: 800 });
  expect(await contents(page).count()).toBe(0);
  await page.locator('main summary').filter({ hasText: 'On this page' }).click();
  await links.nth(2).click();
  expect(await readTop(page, 2)).toBeLessThan(200);
});

test('it stays beside the text, and marks the current section', async () => {
  const { page } = visit;
  const readMarked = () => page.locator('main [aria-current=location]:visible').allTextContents();
  await visit.open(paths.faq);
  await hydrate(page);
  const titles = await headings(page).allTextContents();
  await expect.poll(readMarked).toEqual([titles[0]]);
  // Scrolls to just below the heading.
  await page.evaluate(by => scrollBy(0, by), (await readTop(page, 2)) - 60);
  await expect.poll(readMarked).toEqual([titles[2]]);
  const box = await contents(page).boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(72);
  expect(box?.y).toBeLessThan(140);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect.poll(readMarked).toEqual([titles.at(-1)]);
  // The last two sections are too short to reach the top of the window.
  for (const index of [3, titles.length - 1, titles.length - 2]) {
    await contents(page).getByRole('link').nth(index).click();
    await expect.poll(readMarked).toEqual([titles[index]]);
  }
});

function readTop(page: Page, index: number): Promise<number> {
  return headings(page)
    .nth(index)
    .evaluate(element => element.getBoundingClientRect().top);
}
