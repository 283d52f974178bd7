import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fullPost, plainPosts, startBlog } from '../harness/blog.ts';
import { hydrated, visitAny, wake } from '../harness/page.ts';
import { publicUrl } from '../harness/public-site.ts';

const visit = visitAny(startBlog);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('without JavaScript', () => {
  test('the list links to its pages, topics and posts, newest first', async () => {
    const page = await visit.open({ javaScriptEnabled: false });
    await page.goto('/blog');
    const titles = page.locator('main h2 > a');
    expect(await titles.allTextContents()).toEqual([
      'Everything a post may have',
      ...Array.from({ length: 9 }, (_, index) => `A plain post of number ${plainPosts - index}`),
    ]);
    await page.getByRole('link', { name: 'Older posts' }).click();
    expect(new URL(page.url()).pathname).toBe('/blog/page/2');
    await expect.poll(() => page.title()).toBe('Blog, page 2 — Wardhouse');
    expect(await titles.count()).toBe(plainPosts + 1 - 10);
    await page.getByRole('link', { name: 'Newer posts' }).click();
    const topics = page.getByRole('navigation', { name: 'Topics' });
    expect(await topics.locator('[aria-current]').textContent()).toBe('All posts');
    await topics.getByRole('link', { name: 'Web security' }).click();
    expect(await topics.locator('[aria-current]').textContent()).toBe('Web security');
    expect(await titles.count()).toBe(1);
    await titles.click();
    expect(new URL(page.url()).pathname).toBe(fullPost);
  });

  test('a post shows its date and reading time, and links to other posts', async () => {
    const page = await visit.open({ javaScriptEnabled: false });
    await page.goto(fullPost);
    const main = page.getByRole('main');
    expect(await main.locator('time').allTextContents()).toEqual(
      expect.arrayContaining(['2 November 2026', '5 November 2026']),
    );
    expect(await main.getByText(/^\d min read$/).count()).toBe(1);
    const contents = page.getByRole('navigation', { name: 'On this page' });
    expect(await contents.getByRole('link').allTextContents()).toEqual([
      'A table',
      'Code',
      'Remarks',
      'A picture',
      'The end of it',
    ]);
    await contents.getByRole('link', { name: 'Remarks' }).click();
    expect(await topOf(page, '#remarks')).toBeGreaterThan(await page.locator('header').evaluate(heightOf));
    const [width, height] = await page
      .locator('main img')
      .evaluate(image => [image.getAttribute('width'), image.getAttribute('height')].map(Number));
    expect(width && height && width / height).toBeCloseTo(1280 / 900, 1);
    await page.getByRole('link', { name: /^Older/ }).click();
    expect(await page.locator('h1').textContent()).toBe(`A plain post of number ${plainPosts}`);
    expect(await page.getByRole('navigation', { name: 'On this page' }).count()).toBe(0);
    expect(await page.locator('main h3 > a').allTextContents()).toHaveLength(3);
    await page.getByRole('link', { name: 'Get A Free Cyber Security Audit' }).click();
    expect(new URL(page.url()).pathname).toBe('/contact');
  });
});

describe('after hydration', () => {
  test('a post is unchanged, and header and footer work', async () => {
    const { page } = visit;
    await visit.go(fullPost);
    const before = await page.evaluate(readStaticHtml);
    expect(before.html).toContain('names the first again');
    await wake(page);
    expect(await page.evaluate(readStaticHtml)).toEqual(before);
    // Also after React has rendered around it.
    await page.locator('#footer-newsletter').fill('zoe@example.com');
    await page.locator('#footer-newsletter').press('Enter');
    await page.locator('footer').getByText('Check your inbox to confirm').waitFor();
    expect(await page.evaluate(readStaticHtml)).toEqual(before);
  });

  test("a link to another page loads a document, and Back restores the post's scroll position", async () => {
    const { page } = visit;
    await visit.go(fullPost);
    await wake(page);
    // Further down than the other page is long.
    await scrollTo(page, 5000);
    await markDocument(page);
    await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
    expect(await isSameDocument(page)).toBe(false);
    expect(await page.title()).toMatch(/^Contact/);
    expect(await page.evaluate(readHead)).toEqual({
      titles: 1,
      descriptions: 1,
      canonical: [`${publicUrl}/contact`],
      url: [`${publicUrl}/contact`],
      feeds: 0,
    });
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor();
    expect(await isSameDocument(page)).toBe(false);
    expect(await page.title()).toBe('Everything a post may have — Wardhouse');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(4900);
    expect(await page.evaluate(() => scrollY)).toBeLessThan(5100);
    await wake(page);
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
  });

  test('a link to the blog loads a document from any page', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await markDocument(page);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Blog' }).click();
    await page.locator('main h2 > a').first().waitFor();
    expect(await isSameDocument(page)).toBe(false);
    await wake(page);
    await markDocument(page);
    await page.locator('main h2 > a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor();
    expect(await isSameDocument(page)).toBe(false);
  });

  test('a heading links to itself, is shown below the header, and Back restores the position', async () => {
    const { page } = visit;
    await visit.go(fullPost);
    await wake(page);
    const link = page.locator('h2').getByRole('link', { name: 'A picture', exact: true });
    await link.focus();
    const from = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#a-picture');
    const header = await page.locator('header').evaluate(heightOf);
    await expect.poll(() => topOf(page, '#a-picture')).toBeLessThan(header + 80);
    expect(await topOf(page, '#a-picture')).toBeGreaterThan(header);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(from);
    await page.getByRole('link', { name: '1', exact: true }).first().click();
    await expect.poll(() => topOf(page, '#note_1')).toBeLessThan(page.viewportSize()?.height ?? 0);
    expect(await topOf(page, '#note_1')).toBeGreaterThan(header);
  });
});

test.each(['/blog', fullPost])('%s is accessible', async path => {
  const { page } = visit;
  await page.addInitScript(axe);
  await visit.go(path);
  await wake(page);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findAxeViolations(page), `at ${width} px`).toEqual([]);
    expect(await findSmallTargets(page), `at ${width} px`).toEqual([]);
  }
  await tabThrough(page);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '212.5%';
  });
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('a printed post has company, date and URL, and nothing is cut off', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 650, height: 1000 });
  await visit.go(fullPost);
  await wake(page);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('nav:visible, form:visible, button:visible, .illustration:visible').count()).toBe(
    0,
  );
  expect(await page.locator('header a:visible').allTextContents()).toEqual(['Wardhouse']);
  expect(await page.getByText('2 November 2026').isVisible()).toBe(true);
  const address = await page
    .locator('header > div:first-child')
    .evaluate(head => getComputedStyle(head, '::after').content);
  expect(address).toBe(`"${publicUrl}${fullPost}"`);
  const cut = await page
    .locator('.post :is(pre, .table-scroll, table, img)')
    .evaluateAll(elements =>
      elements
        .filter(element => element.scrollWidth > element.clientWidth + 1)
        .map(element => element.outerHTML.slice(0, 80)),
    );
  expect(cut).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(650);
  const colours = await page.locator('main *:visible').evaluateAll(elements =>
    elements.flatMap(element => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [`text ${color}`, `ground ${backgroundColor}`];
    }),
  );
  expect([...new Set(colours)].sort()).toEqual([
    'ground rgb(255, 255, 255)',
    'ground rgba(0, 0, 0, 0)',
    'text rgb(0, 0, 0)',
  ]);
  const notes = await topOf(page, '.footnotes');
  expect(notes).toBeGreaterThan(await topOf(page, '#the-end-of-it'));
});

test('an unknown blog URL shows the 404 page', async () => {
  visit.expectTrouble(/404/);
  const { page } = visit;
  const answer = await page.goto('/blog/nonsense');
  expect(answer?.status()).toBe(404);
  expect(await page.locator('body').getAttribute('data-page')).toBe('not-found');
  await wake(page);
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.locator('h1', { hasText: 'quiet hours' }).waitFor();
  await page.goBack();
  await page.locator('h1', { hasText: 'Nothing is kept' }).waitFor();
  await hydrated(page).catch(() => undefined);
});

/** Without the attribute that the boot script sets on the animated illustration. */
function readStaticHtml(): { html: string; title: string } {
  const html = document.querySelector('.static-html')?.innerHTML.replaceAll(' data-loop=""', '') ?? '';
  return { html, title: document.title };
}

function readHead() {
  const values = (selector: string, name: string) =>
    Array.from(document.head.querySelectorAll(selector), tag => tag.getAttribute(name));
  return {
    titles: document.head.querySelectorAll('title').length,
    descriptions: values('meta[name=description]', 'content').length,
    canonical: values('link[rel=canonical]', 'href'),
    url: values('meta[property="og:url"]', 'content'),
    feeds: values('link[rel=alternate]', 'href').length,
  };
}

function markDocument(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.assign(globalThis, { isSameDocument: true });
  });
}

function isSameDocument(page: Page): Promise<boolean> {
  return page.evaluate(() => 'isSameDocument' in globalThis);
}

function scrollTo(page: Page, top: number): Promise<void> {
  return page.evaluate(async to => {
    window.scrollTo({ top: to, behavior: 'instant' });
    await new Promise(done => requestAnimationFrame(done));
  }, top);
}

function topOf(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate(element => element.getBoundingClientRect().top);
}

function heightOf(element: Element): number {
  return element.getBoundingClientRect().height;
}

async function findAxeViolations(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`),
  );
}

function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('main a, main summary'))
      .filter(element => element.checkVisibility() && getComputedStyle(element).display !== 'inline')
      .map(element => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 43.9 || box.height < 43.9)
      .map(({ element }) => element.outerHTML.slice(0, 120)),
  );
}

/** Every tab stop has a visible focus ring, and none is behind the header. */
async function tabThrough(page: Page): Promise<void> {
  for (let press = 0; press < 120; press++) {
    await page.keyboard.press('Tab');
    const place = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return undefined;
      const { top, bottom } = element.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const isSeen = bottom > 0 && top < innerHeight;
      return {
        name: element.outerHTML.slice(0, 100),
        isRinged: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && isSeen,
      };
    });
    if (!place) return;
    expect(place).toMatchObject({ isRinged: true });
  }
  throw new Error('The keyboard never left the page');
}
