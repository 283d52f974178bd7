import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hydrate, listPosts, visitSite, waitForIdle } from '../harness/page.ts';

const visit = visitSite();
const post = listPosts().find(({ html }) => html.includes('class="footnotes"'))?.path;
const headings = 'h2:has(> .heading-link)';

/** Every kind of content has unit tests; every-page.test.ts looks at each post. The owner's blog may have no posts. */
describe.skipIf(!post)('the blog', () => {
  const postPath = String(post);

  test('has posts that hydration does not change, with links, header and footer that work', async () => {
    const { page } = visit;
    await visit.open(postPath);
    const before = await page.evaluate(readStaticHtml);
    expect(before.html).toContain('footnotes');
    await hydrate(page);
    // Only the contents list marks the current section.
    const second = page.locator(headings).nth(1);
    await second.evaluate(heading => heading.scrollIntoView());
    const marked = page.locator('main [aria-current=location]').filter({ visible: true });
    await expect.poll(() => marked.allTextContents()).toEqual([await second.textContent()]);
    // Also after React has rendered around it.
    await page.locator('#footer-newsletter').fill('zoe@example.com');
    await page.locator('#footer-newsletter').press('Enter');
    await page.locator('footer').getByText('Check your inbox to confirm').waitFor();
    expect(await page.evaluate(readStaticHtml)).toEqual(before);

    // A linked heading and a note are shown below the header, and Back restores the position.
    const scrollTop = () => page.evaluate(() => scrollY);
    const header = await page.locator('header').evaluate(element => element.getBoundingClientRect().height);
    await page.locator(headings).nth(2).getByRole('link').focus();
    const from = await scrollTop();
    await page.keyboard.press('Enter');
    await expect.poll(() => readTop(page, `${headings}:target`)).toBeLessThan(header + 80);
    expect(await readTop(page, `${headings}:target`)).toBeGreaterThan(header);
    await page.goBack();
    await expect.poll(scrollTop).toBe(from);
    await page.getByRole('link', { name: '1', exact: true }).first().click();
    await expect.poll(() => readTop(page, '#note_1')).toBeLessThan(page.viewportSize()?.height ?? 0);
    expect(await readTop(page, '#note_1')).toBeGreaterThan(header);

    // Another page is another document. Further down than it is long.
    await page.evaluate(() => scrollTo({ top: 3000, behavior: 'instant' }));
    const loaded = page.waitForEvent('load');
    await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
    await loaded;
    await page.goBack();
    await expect.poll(async () => Math.abs((await scrollTop()) - 3000)).toBeLessThan(100);
  });

  test('has links that browsers prefetch when they are hovered, unlike those that React follows', async () => {
    const { page } = visit;
    const contact = page.getByRole('banner').getByRole('link', { name: 'Contact' });
    const countDocuments = () => visit.requests.filter(path => path === '/contact').length;
    await visit.open(postPath);
    await hydrate(page);
    await contact.hover();
    await expect.poll(countDocuments).toBe(1);
    await contact.click();
    await page.waitForURL('/contact');
    const [loaded] = await page.evaluate(() => performance.getEntriesByType('navigation'));
    expect(loaded).toMatchObject({ deliveryType: 'navigational-prefetch' });

    await visit.open('/faq');
    await hydrate(page);
    const before = countDocuments();
    await contact.hover();
    // Twice as long as a browser waits before it prefetches.
    await page.waitForTimeout(400);
    await contact.click();
    await page.waitForURL('/contact');
    expect(countDocuments()).toBe(before);
  });

  test('keeps a post that the browser has translated', async () => {
    // React says that the text differs, and renders the page anew.
    visit.allowErrors(/Minified React error #(418|423|425)/);
    const { page } = visit;
    await visit.open(postPath);
    await page.evaluate(translate);
    await hydrate(page);
    await waitForIdle(page);
    expect(await page.locator('h1').textContent()).toContain('translated');
    expect(await page.locator(headings).first().textContent()).toContain('translated');
  });
});

/** Without the attribute that the boot script sets on the animated illustration. */
function readStaticHtml(): { html: string; title: string } {
  const html = document.querySelector('.static-html')?.innerHTML ?? '';
  return { html: html.replaceAll(/ (data-loop=""|aria-current="location")/g, ''), title: document.title };
}

function readTop(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate(element => element.getBoundingClientRect().top);
}

/** As browsers do it: each text in an element of its own. */
function translate(): void {
  const texts = document.createTreeWalker(document.getElementById('root') as Element, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  for (const text of found) {
    if (!text.data.trim() || text.parentElement?.closest('script, style')) continue;
    const font = document.createElement('font');
    font.textContent = `${text.data} translated`;
    text.replaceWith(font);
  }
}
