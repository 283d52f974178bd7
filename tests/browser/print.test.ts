import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { visitSite, wake } from '../harness/page.ts';
import { publicUrl, startPublicly } from '../harness/public-site.ts';

const visit = visitSite();
let page: Page;
beforeEach(async () => {
  page = visit.page;
  await page.setViewportSize({ width: 794, height: 1123 });
});

/** How many sheets a page takes at most, and at least. */
const sheets: Partial<Record<string, { most?: number; least?: number }>> = {
  [paths.home]: { most: 3 },
  [paths.contact]: { most: 3 },
  [paths.services]: { most: 7 },
  [paths.faq]: { least: 3 },
  [paths.privacy]: { least: 3 },
  [paths.terms]: { least: 3 },
};

test.each(Object.values(paths))(
  '%s on paper is black on white, and all of it is of use there',
  async path => {
    await visit.go(path);
    const { least = 1, most = Number.POSITIVE_INFINITY } = sheets[path] ?? {};
    for (const format of path in sheets ? ['A4', 'Letter'] : []) {
      const pdf = await page.pdf({ format });
      const { length } = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
      expect(length, `sheets of ${format}`).toBeGreaterThanOrEqual(least);
      expect(length, `sheets of ${format}`).toBeLessThanOrEqual(most);
    }

    await page.emulateMedia({ media: 'print' });
    await tellsWhoseItIs();
    await isBlackOnWhite();
    await keepsHeadingsWithTheirText();
    await page.emulateMedia({ media: 'screen' });
    await wake(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('h1:visible').count()).toBe(1);
    expect(await page.locator('main :is(p, li, dd):visible').count()).toBeGreaterThan(5);
    const idle = page.locator(
      'nav, form, button, input, [popover], .progress, .illustration, footer a, main a:empty',
    );
    expect(await idle.count()).toBeGreaterThan(5);
    expect(await idle.filter({ visible: true }).count()).toBe(0);
  },
);

/** And where its links lead, and who answers for it. */
async function tellsWhoseItIs(): Promise<void> {
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
}

async function isBlackOnWhite(): Promise<void> {
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
}

async function keepsHeadingsWithTheirText(): Promise<void> {
  const breaks = await page
    .locator('main :is(h1, h2, h3, summary)')
    .evaluateAll(elements => elements.map(element => getComputedStyle(element).breakAfter));
  expect([...new Set(breaks)]).toEqual(['avoid']);
}

test('the questions are printed open, whether they are closed or filtered out', async () => {
  await visit.go('/faq');
  // Where a link leads is said on paper alone.
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
  // They lie one below the other, as they will on the sheet.
  const tops = await answers.evaluateAll(elements =>
    elements.map(element => element.getBoundingClientRect().top),
  );
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  expect(await page.getByText('No question matches').filter({ visible: true }).count()).toBe(0);
});

test('every slide of a carousel that was turned is on the sheet, in order', async () => {
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
  // Paper comes without a resize after which Embla would measure anew: its transforms must not count.
  const row = page.locator('.slides');
  expect(await row.evaluate(slides => slides.style.transform)).not.toBe('');
  expect(await row.evaluate(slides => getComputedStyle(slides).transform)).toBe('none');
  expect(slides.map(({ isOnSheet }) => isOnSheet)).toEqual(Array(5).fill(true));
  const tops = slides.map(({ top }) => top);
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
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
