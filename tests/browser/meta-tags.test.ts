import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { visitAny, wake } from '../harness/page.ts';
import { publicUrl, startPublicSite } from '../harness/public-site.ts';

const visit = visitAny(startPublicSite);
const tags = [
  'meta[name=description]',
  'link[rel=canonical]',
  ...['title', 'description', 'url', 'image', 'image:alt'].map(name => `meta[property="og:${name}"]`),
];

/** Fails unless each tag is there exactly once. */
async function readMetaTags(): Promise<string[]> {
  const found = tags.map(tag => visit.page.locator(tag));
  return Promise.all(
    found.map(async tag => String((await tag.getAttribute('content')) ?? (await tag.getAttribute('href')))),
  );
}

test('JSON-LD passes the CSP and is left alone by React', async () => {
  const { page } = visit;
  const data = page.locator('script[type="application/ld+json"]');
  for (const path of [paths.home, paths.services, paths.faq]) {
    await visit.go(path);
    const before = await data.textContent();
    await wake(page);
    expect(await data.textContent()).toBe(before);
    expect(JSON.parse(String(before))['@graph'].length).toBeGreaterThan(2);
  }
});

test('the web app manifest is fetched without errors', async () => {
  const { page } = visit;
  await visit.go('/');
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  expect(url).toBe(`${visit.site.origin}/site.webmanifest`);
  expect(errors).toEqual([]);
  expect(JSON.parse(String(data)).icons).toHaveLength(3);
});

test('after a navigation the meta tags are those of the new page, each once', async () => {
  const { page } = visit;
  await visit.go('/faq');
  const loaded = await readMetaTags();
  await visit.go('/');
  await wake(page);
  await page.getByRole('link', { name: 'Help & FAQ' }).click();
  await expect.poll(() => page.locator('h1').textContent()).toBe('Help & FAQ');
  expect(await readMetaTags()).toEqual(loaded);
  expect(loaded).toContain(`${publicUrl}/faq`);
});
