import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { visitSite, wake } from '../harness/page.ts';
import { publicUrl, startPublicSite } from '../harness/public-site.ts';

const visit = visitSite();
let page: Page;
beforeEach(async () => {
  page = visit.page;
  await page.setViewportSize({ width: 794, height: 1123 });
});

test('answers are printed, also closed and filtered-out ones', async () => {
  await visit.go('/faq');
  // Only print shows the URLs of links.
  const shown = await page
    .locator('main .prose a')
    .evaluateAll(links => links.map(link => getComputedStyle(link, '::after').content));
  expect(shown.length).toBeGreaterThan(5);
  expect(new Set(shown)).toEqual(new Set(['none']));
  await wake(page);
  const answers = page.locator('main details > article');
  const count = await answers.count();
  await page.locator('#filter').fill('qqqq');
  expect(await answers.filter({ visible: true }).count()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  const heights = await answers.evaluateAll(elements =>
    elements.map(element => (element.checkVisibility() ? element.getBoundingClientRect().height : 0)),
  );
  expect(heights).toHaveLength(count);
  expect(Math.min(...heights)).toBeGreaterThan(40);
  // They are stacked vertically.
  const tops = await answers.evaluateAll(elements =>
    elements.map(element => element.getBoundingClientRect().top),
  );
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  expect(await page.getByText('No question matches').filter({ visible: true }).count()).toBe(0);
});

test('every slide is printed in order, also after turning the carousel', async () => {
  await visit.go('/');
  await wake(page);
  for (let turn = 0; turn < 4; turn++) await page.getByRole('button', { name: 'Next service' }).click();
  await page.emulateMedia({ media: 'print' });
  const slides = await page.locator('[aria-roledescription=slide]').evaluateAll(all =>
    all.map(slide => {
      const { left, right, top } = slide.getBoundingClientRect();
      return { isOnSheet: left >= 0 && right <= innerWidth, top };
    }),
  );
  // Printing causes no resize event, so Embla's transforms must be overridden.
  const row = page.locator('.slides');
  expect(await row.evaluate(slides => slides.style.transform)).not.toBe('');
  expect(await row.evaluate(slides => getComputedStyle(slides).transform)).toBe('none');
  expect(slides.map(({ isOnSheet }) => isOnSheet)).toEqual(Array(5).fill(true));
  const tops = slides.map(({ top }) => top);
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
});

test('with a public URL, printed links show the full URL', async () => {
  await using site = await startPublicSite();
  page = await visit.open({ baseURL: site.origin });
  await page.goto(paths.contact);
  await page.emulateMedia({ media: 'print' });
  const [head, ...links] = await page
    .locator('header > div:first-child, main a[href^="/"]:visible')
    .evaluateAll(elements => elements.map(element => getComputedStyle(element, '::after').content));
  expect(head).toBe(`"${publicUrl}${paths.contact}"`);
  expect(links).toContain(`" (${publicUrl}${paths.services})"`);
});
