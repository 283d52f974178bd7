import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
/** A policy and the questions; all policies are one component. */
const pagesWithContents = [paths.privacy, paths.faq];
const name = 'On this page';
/** Without the headings of what stands beside the text. */
const headings = 'main h2:not([id$=_])';

test('without JavaScript it links to every section, beside the text or above it', async () => {
  const page = await visit.newPage({ javaScriptEnabled: false });
  const links = contents(page).getByRole('link');
  for (const path of pagesWithContents) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    const titles = await page.locator(headings).allTextContents();
    expect(titles.length).toBeGreaterThan(3);
    expect(await links.allTextContents()).toEqual(titles);
    await links.nth(3).click();
    expect(new URL(page.url()).hash).toBe(`#${await page.locator(headings).nth(3).getAttribute('id')}`);
    expect(await readTop(page, 3)).toBeGreaterThan(72);
    expect(await readTop(page, 3)).toBeLessThan(200);

    await page.setViewportSize({ width: 390, height: 800 });
    expect(await contents(page).count()).toBe(0);
    await page.locator('main summary').filter({ hasText: name }).click();
    const heights = await links.evaluateAll(all => all.map(link => link.getBoundingClientRect().height));
    expect(heights).toHaveLength(titles.length);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await links.nth(2).click();
    expect(await readTop(page, 2)).toBeLessThan(200);
  }
});

test('it stays beside the text, and marks the current section', async () => {
  const { page } = visit;
  for (const path of pagesWithContents) {
    await visit.open(path);
    await hydrate(page);
    const titles = await page.locator(headings).allTextContents();
    await expect.poll(() => readMarked(page)).toEqual([titles[0]]);
    // Scrolls to just below the heading.
    for (const index of [1, 2]) {
      await page.evaluate(by => scrollBy(0, by), (await readTop(page, index)) - 60);
      await expect.poll(() => readMarked(page)).toEqual([titles[index]]);
    }
    const box = await contents(page).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(72);
    expect(box?.y).toBeLessThan(140);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => readMarked(page)).toEqual([titles.at(-1)]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => readMarked(page)).toEqual([titles[0]]);
    for (const index of [3, titles.length - 1, titles.length - 2]) {
      await contents(page).getByRole('link').nth(index).click();
      await expect.poll(() => readMarked(page)).toEqual([titles[index]]);
    }
  }
});

function contents(page: Page) {
  return page.getByRole('navigation', { name });
}

/** The visible current entries. */
function readMarked(page: Page): Promise<string[]> {
  return page.locator('main [aria-current=location]:visible').allTextContents();
}

function readTop(page: Page, index: number): Promise<number> {
  return page
    .locator(headings)
    .nth(index)
    .evaluate(element => element.getBoundingClientRect().top);
}
