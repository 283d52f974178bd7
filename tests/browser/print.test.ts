import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
let page: Page;
beforeEach(async () => {
  page = visit.page;
  await page.setViewportSize({ width: 794, height: 1123 });
});

describe.each(Object.values(paths))('%s on paper', path => {
  test('has its heading and its text, and nothing that only a screen can work', async () => {
    await visit.go(path);
    await wake(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('h1:visible').count()).toBe(1);
    expect(await page.locator('main :is(p, li, dd):visible').count()).toBeGreaterThan(5);
    const idle = page.locator('header, footer, nav, form, button, input, [popover], .progress, .art');
    expect(await idle.count()).toBeGreaterThan(5);
    expect(await idle.filter({ visible: true }).count()).toBe(0);
  });

  test('is black on white', async () => {
    await visit.go(path);
    await page.emulateMedia({ media: 'print' });
    const colours = await page.locator('main, main *').evaluateAll(elements =>
      elements
        .filter(element => element.checkVisibility() && element.textContent?.trim())
        .flatMap(element => {
          const { color, backgroundColor } = getComputedStyle(element);
          return [`text ${color}`, `ground ${backgroundColor}`];
        }),
    );
    expect([...new Set(colours)].sort()).toEqual([
      'ground rgb(255, 255, 255)',
      'ground rgba(0, 0, 0, 0)',
      'text rgb(0, 0, 0)',
    ]);
  });
});

test('the questions are printed open, whether they are closed or filtered out', async () => {
  await visit.go('/faq');
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
  // They lie one below the other, as they will on the sheet.
  const tops = await answers.evaluateAll(elements =>
    elements.map(element => element.getBoundingClientRect().top),
  );
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  expect(await page.getByText('No question matches').filter({ visible: true }).count()).toBe(0);
});

test('a link in the text says where it leads, on paper alone', async () => {
  await visit.go('/faq');
  const addresses = () =>
    page
      .locator('main .prose a')
      .evaluateAll(links =>
        links.map(link => [link.getAttribute('href'), getComputedStyle(link, '::after').content]),
      );
  expect((await addresses()).every(([, shown]) => shown === 'none')).toBe(true);
  await page.emulateMedia({ media: 'print' });
  const printed = await addresses();
  expect(printed.length).toBeGreaterThan(5);
  for (const [href, shown] of printed) expect(shown).toContain(`${href}`);
});

test.each([paths.faq, paths.privacy, paths.terms])(
  '%s takes several sheets, and keeps headings with their text',
  async path => {
    await visit.go(path);
    const pdf = await page.pdf({ format: 'A4' });
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect(sheets.length).toBeGreaterThan(2);
    await page.emulateMedia({ media: 'print' });
    const breaks = await page
      .locator('main :is(h1, h2, h3, summary)')
      .evaluateAll(elements => elements.map(element => getComputedStyle(element).breakAfter));
    expect([...new Set(breaks)]).toEqual(['avoid']);
  },
);
