import { expect, test } from 'vitest';
import { publicUrl } from '../harness/builds.ts';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const heading = () => visit.page.locator('h1').textContent();
const scrollTop = () => visit.page.evaluate(() => scrollY);
const path = () => new URL(visit.page.url()).pathname;
const documents = () => visit.requests.filter(path => !path.includes('.') && !path.startsWith('/api/'));
const services = () => visit.page.getByRole('link', { name: 'services', exact: true }).first();
/** In order, so that a tag that is there twice is seen. */
const readMetaTags = () =>
  visit.page
    .locator('meta[name=description], link[rel=canonical], meta[property^="og:"]')
    .evaluateAll(tags => tags.map(tag => tag.getAttribute('content') ?? tag.getAttribute('href')).sort());

test('a link navigates without loading a document, and sets title, meta tags, scroll position and focus', async () => {
  const { page } = visit;
  await visit.open('/faq');
  const loaded = await readMetaTags();
  expect(loaded).toContain(`${publicUrl}/faq`);
  await visit.open('/');
  await hydrate(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.getByRole('link', { name: 'Help & FAQ' }).click();
  const focused = () =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
  await expect.poll(focused).toBe('H1 Help & FAQ');
  expect(path()).toBe('/faq');
  expect(await page.title()).toMatch(/^Help & FAQ – /);
  expect(await readMetaTags()).toEqual(loaded);
  expect(await scrollTop()).toBe(0);

  // A link to a fragment of another page scrolls there and focuses it.
  await page.getByRole('button', { name: 'Open all answers' }).click();
  await page.locator('a[href="/creator#locker-security"]').first().click();
  await page.waitForURL('/creator#locker-security');
  const target = page.locator('#locker-security');
  await expect.poll(() => target.evaluate(element => element === document.activeElement)).toBe(true);
  const top = await target.evaluate(element => element.getBoundingClientRect().top);
  expect(top).toBeGreaterThan(0);
  expect(top).toBeLessThan(200);
  expect(documents()).toEqual(['/faq', '/']);
});

test('Back and Forward restore the scroll position, also across a reload', async () => {
  const { page } = visit;
  await visit.open('/faq');
  await hydrate(page);
  await page.evaluate(() => scrollTo(0, 700));
  await services().click();
  await expect.poll(heading).toContain('Our Services');
  await page.evaluate(() => scrollTo(0, 1200));
  await page.goBack();
  await expect.poll(heading).toBe('Help & FAQ');
  await expect.poll(scrollTop).toBe(700);
  await page.goForward();
  await expect.poll(scrollTop).toBe(1200);
  expect(documents()).toEqual(['/faq']);

  await page.reload();
  await hydrate(page);
  await page.goBack();
  await expect.poll(scrollTop).toBe(700);
});

test('hover, focus and touch prefetch the page of a link, unless Save-Data is on', async () => {
  const { page } = visit;
  const countChunks = (name: string) =>
    visit.requests.filter(path => path.startsWith(`/static/js/${name}-`)).length;
  await visit.open('/privacy');
  await hydrate(page);
  for (const [name, prefetch] of [
    ['services', () => services().hover()],
    ['contact', () => page.locator('header a[href="/contact"]:visible').first().focus()],
    ['faq', () => page.getByRole('link', { name: 'Help & FAQ' }).dispatchEvent('touchstart')],
  ] as const) {
    expect(countChunks(name)).toBe(0);
    await prefetch();
    await expect.poll(() => countChunks(name)).toBe(1);
  }

  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await visit.open('/privacy');
  await hydrate(page);
  visit.requests.length = 0;
  await services().hover();
  await page.evaluate(() => fetch('/robots.txt'));
  expect(countChunks('services')).toBe(0);
  await services().click();
  await page.waitForURL('/creator');
});

test('the menu of small screens opens, closes, and navigates', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 800 });
  const button = page.getByRole('button', { name: 'Menu' });
  const item = page.locator('#menu').getByRole('link', { name: 'services' });
  await visit.open('/privacy');
  await hydrate(page);
  await button.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('#menu') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  expect(await item.isVisible()).toBe(false);
  expect(await button.evaluate(element => element === document.activeElement)).toBe(true);
  // Moving past the last link closes it.
  await page.keyboard.press('Enter');
  for (let press = 0; press < 6; press++) await page.keyboard.press('Tab');
  expect(await item.isVisible()).toBe(false);
  await button.click();
  await item.click();
  await expect.poll(heading).toContain('Our Services');
  expect(await item.isVisible()).toBe(false);
});
