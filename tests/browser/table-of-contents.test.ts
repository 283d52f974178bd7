import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { hydrated, visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
/** A policy and the questions; all policies are one component. */
const long = [paths.privacy, paths.faq];
const name = 'On this page';
const wide = { width: 1280, height: 800 };

describe.each(long)('the table of contents of %s', path => {
  test('lists every section in order, with links that work without JavaScript', async () => {
    const page = await visit.open({ javaScriptEnabled: false, viewport: wide });
    await page.goto(path);
    const links = contents(page).getByRole('link');
    const titles = await page.locator('main h2').allTextContents();
    expect(titles.length).toBeGreaterThan(3);
    expect(await links.allTextContents()).toEqual(titles);
    await links.nth(3).click();
    const [top, fragment] = [await topOf(page, 3), new URL(page.url()).hash];
    expect(fragment).toBe(`#${await page.locator('main h2').nth(3).getAttribute('id')}`);
    expect(top).toBeGreaterThan(72);
    expect(top).toBeLessThan(200);
    // Without JavaScript nothing is marked.
    expect(await page.locator('[aria-current=location]').count()).toBe(0);
  });

  test('stays beside the text, and marks the current section', async () => {
    const { page } = visit;
    await page.setViewportSize(wide);
    await visit.go(path);
    await wake(page);
    const titles = await page.locator('main h2').allTextContents();
    await expect.poll(() => marked(page)).toEqual([titles[0]]);
    // Scrolls to just below each heading of the first half.
    const middle = Math.floor(titles.length / 2);
    for (let index = 1; index < middle; index += 1) {
      const top = await topOf(page, index);
      await page.evaluate(by => scrollBy(0, by), top - 60);
      await expect.poll(() => marked(page)).toEqual([titles[index]]);
    }
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => marked(page)).toEqual([titles.at(-1)]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => marked(page)).toEqual([titles[0]]);

    await page.evaluate(() => scrollTo(0, 1500));
    const box = await contents(page).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(72);
    expect(box?.y).toBeLessThan(140);
    const heights = await contents(page)
      .getByRole('link')
      .evaluateAll(links => links.map(link => link.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);

    for (const link of await contents(page).getByRole('link').all()) {
      await link.click();
      await expect.poll(() => marked(page)).toEqual([await link.textContent()]);
    }
  });

  test('is above the text on a small screen, without JavaScript', async () => {
    const page = await visit.open({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    await page.goto(path);
    const opener = page.locator('main summary').filter({ hasText: name });
    if (path !== paths.faq) {
      expect(await contents(page).count()).toBe(0);
      await opener.click();
    }
    const links = contents(page).getByRole('link');
    const boxes = await links.evaluateAll(all => all.map(link => link.getBoundingClientRect().height));
    expect(boxes).toHaveLength(await page.locator('main h2').count());
    expect(Math.min(...boxes)).toBeGreaterThanOrEqual(44);
    await links.nth(2).click();
    expect(await topOf(page, 2)).toBeLessThan(200);
  });
});

test('a URL with a fragment marks its section after hydration', async () => {
  const { page } = visit;
  await page.setViewportSize(wide);
  await page.goto(`${paths.terms}#liability`);
  await wake(page);
  await expect.poll(() => marked(page)).toEqual([await page.locator('#liability').textContent()]);
});

test('the current section is updated on resize', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 1280, height: 500 });
  await visit.go(paths.terms);
  await wake(page);
  const titles = await page.locator('main h2').allTextContents();
  await page.evaluate(by => scrollBy(0, by), (await topOf(page, titles.length - 3)) - 110);
  await expect.poll(() => marked(page)).toEqual([titles.at(-3)]);
  const [height, place] = await page.evaluate(() => [
    document.documentElement.scrollHeight - scrollY,
    scrollY,
  ]);
  // A window as tall as the page, not scrolled.
  await page.setViewportSize({ width: 1280, height });
  await expect.poll(() => marked(page)).toEqual([titles.at(-1)]);
  expect(await page.evaluate(() => scrollY)).toBe(place);
});

test('a list taller than the window scrolls to the current section', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 1280, height: 420 });
  await visit.go(paths.terms);
  await wake(page);
  const list = contents(page);
  expect(await list.evaluate(element => element.scrollHeight - element.clientHeight)).toBeGreaterThan(100);
  for (const index of [12, 2]) {
    await page
      .locator('main h2')
      .nth(index)
      .evaluate(element => element.scrollIntoView());
    await expect.poll(() => marked(page)).toEqual([await page.locator('main h2').nth(index).textContent()]);
    const [frame, mark] = [await list.boundingBox(), await list.locator('[aria-current]').boundingBox()];
    expect(mark?.y).toBeGreaterThanOrEqual(frame?.y ?? 0);
    expect((mark?.y ?? 0) + (mark?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
  }
});

test('a list that was opened before hydration stays open', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(paths.privacy);
  await page.locator('main summary').filter({ hasText: name }).click();
  await hydrated(page);
  await page.waitForTimeout(100);
  expect(await contents(page).isVisible()).toBe(true);
});

function contents(page: Page) {
  return page.getByRole('navigation', { name });
}

/** The visible current entries. */
function marked(page: Page): Promise<string[]> {
  return page.locator('main [aria-current=location]:visible').allTextContents();
}

function topOf(page: Page, index: number): Promise<number> {
  return page
    .locator('main h2')
    .nth(index)
    .evaluate(element => element.getBoundingClientRect().top);
}
