import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const chunk = /\/static\/js\/services-/;
const services = () => visit.page.getByRole('link', { name: 'services', exact: true }).first();
const heading = () => visit.page.locator('h1').textContent();
const error = () => visit.page.getByRole('heading', { name: 'Unexpected Application Error!' });
const documents = () => visit.requests.filter(path => path === '/creator');

const failures: ((route: Route) => Promise<void>)[] = [
  route => route.fulfill({ status: 503, contentType: 'text/plain', body: 'no' }),
  route => route.abort('connectionreset'),
];

test('a page chunk that fails keeps the layout, shows where help is, and loads when the network is back', async () => {
  const { page } = visit;
  visit.allowErrors(/chunk services failed/, /Failed to load resource|Failed to load module script/);
  await visit.open('/');
  await hydrate(page);
  for (const fail of failures) {
    await page.route(chunk, fail);
    await services().click();
    await error().waitFor();
    expect(await page.getByText('chunk services failed').count()).toBe(1);
    for (const name of ['header', 'footer', 'main a[href^="tel:"]', 'main a[href="/contact"]'])
      expect(await page.locator(name).count(), name).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/creator');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.unroute(chunk);
    await page.getByRole('link', { name: 'Help & FAQ' }).click();
    await expect.poll(heading).toBe('Help & FAQ');
  }
  await services().click();
  await expect.poll(heading).toContain('Our Services');
  expect(documents()).toHaveLength(0);
});

test('an error of a page keeps the layout, shows no stack, and offers to load the page again', async () => {
  const { page } = visit;
  visit.allowErrors(/secret detail/);
  const body = 'export function Component() { throw new Error("secret detail") }';
  await page.route(chunk, route => route.fulfill({ contentType: 'text/javascript', body }));
  await visit.open('/');
  await hydrate(page);
  await services().click();
  await error().waitFor();
  expect(await page.locator('header').count()).toBe(1);
  expect(await page.locator('body').textContent()).not.toMatch(/secret detail|at Component/);
  await page.unroute(chunk);
  await page.getByRole('button', { name: 'Reload this page' }).click();
  await expect.poll(heading).toContain('Our Services');
  expect(documents()).toHaveLength(1);
});
