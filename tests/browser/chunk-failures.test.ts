import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const chunk = /\/static\/js\/services-/;
const services = () => visit.page.getByRole('link', { name: 'services', exact: true }).first();
const heading = () => visit.page.locator('h1').textContent();
const documents = () => visit.requests.filter(path => path === '/creator');

const failures: ((route: Route) => Promise<void>)[] = [
  route => route.fulfill({ status: 503, contentType: 'text/plain', body: 'no' }),
  route => route.abort('connectionreset'),
  route => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  // An error of the page itself, which stays loaded.
  route =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export function Component() { throw new Error("secret detail") }',
    }),
];

test('a page that fails keeps the layout, shows where help is and no stack, and loads when asked again', async () => {
  const { page } = visit;
  visit.allowErrors(/chunk services failed|secret detail/, /Failed to load (resource|module script)/);
  await visit.open('/');
  await hydrate(page);
  for (const fail of failures) {
    await page.getByRole('link', { name: 'Help & FAQ' }).click();
    await expect.poll(heading).toBe('Help & FAQ');
    await page.route(chunk, fail);
    await services().click();
    await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    for (const name of ['header', 'footer', 'main a[href^="tel:"]', 'main a[href="/contact"]'])
      expect(await page.locator(name).count(), name).toBe(1);
    expect(await page.locator('body').textContent()).not.toMatch(/secret detail|at Component/);
    expect(new URL(page.url()).pathname).toBe('/creator');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.unroute(chunk);
  }
  expect(documents()).toHaveLength(0);
  await page.getByRole('button', { name: 'Reload this page' }).click();
  await expect.poll(heading).toContain('Our Services');
  expect(documents()).toHaveLength(1);
});
