import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { visitSite, wake } from '../harness/page.ts';
import { publicUrl, startPublicly } from '../harness/public-site.ts';

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
    const idle = page.locator('nav, form, button, input, [popover], .progress, .art, footer a, main a:empty');
    expect(await idle.count()).toBeGreaterThan(5);
    expect(await idle.filter({ visible: true }).count()).toBe(0);
  });

  test('says whose it is, where it leads and who answers for it', async () => {
    await visit.go(path);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header a:visible').allTextContents()).toEqual(['Wardhouse']);
    expect(await page.locator('footer :is(p, dl):visible').first().textContent()).toMatch(/^© \d{4} /);
    const links = await page.locator('main a:visible').evaluateAll(found =>
      found.map(link => {
        const href = link.getAttribute('href') ?? '';
        const shown = link.textContent + getComputedStyle(link, '::after').content;
        return {
          href,
          told: shown.replaceAll(/[ "]/g, '').split(href.replace(/^(tel|mailto):/, '')).length - 1,
        };
      }),
    );
    expect(links.filter(({ told }) => told !== 1)).toEqual([]);
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

test('a link says where it leads on paper alone', async () => {
  await visit.go('/faq');
  const shown = await page
    .locator('main .prose a')
    .evaluateAll(links => links.map(link => getComputedStyle(link, '::after').content));
  expect(shown.length).toBeGreaterThan(5);
  expect(new Set(shown)).toEqual(new Set(['none']));
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

test.each([
  [paths.home, 3],
  [paths.contact, 3],
  [paths.services, 7],
])('%s takes no more than %i sheets, on either paper', async (path, most) => {
  await visit.go(path);
  for (const format of ['A4', 'Letter']) {
    const pdf = await page.pdf({ format });
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect(sheets.length, format).toBeLessThanOrEqual(most);
  }
});

test('where the site has a public address, the document and its links say all of it', async () => {
  await using site = await startPublicly();
  page = await visit.open({ baseURL: site.origin });
  await page.goto(paths.contact);
  await page.emulateMedia({ media: 'print' });
  const [head, ...links] = await page
    .locator('header > div:first-child, main a[href^="/"]:visible')
    .evaluateAll(elements => elements.map(element => getComputedStyle(element, '::after').content));
  expect(head).toBe(`"${publicUrl}${paths.contact}"`);
  expect(links).toContain(`" (${publicUrl}${paths.services})"`);
});
