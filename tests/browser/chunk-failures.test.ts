import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const chunk = /\/static\/js\/services-/;
const services = () => visit.page.getByRole('link', { name: 'services', exact: true }).first();
const heading = () => visit.page.locator('h1').textContent();
const documents = () => visit.requests.filter(path => path === '/creator');

const failures: Record<string, (route: Route) => Promise<void>> = {
  'status 503': route => route.fulfill({ status: 503, contentType: 'text/plain', body: 'no' }),
  'connection reset': route => route.abort('connectionreset'),
  'a page of HTML': route => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
};

async function open(): Promise<void> {
  visit.allowErrors(/chunk services failed/, /Failed to load resource|Failed to load module script/);
  await visit.open('/');
  await hydrate(visit.page);
}

async function expectErrorScreen(): Promise<void> {
  const { page } = visit;
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
  expect(await page.getByText('chunk services failed').count()).toBe(1);
  expect(await page.locator('header').count()).toBe(1);
  expect(await page.locator('footer').count()).toBe(1);
}

test('a page chunk that fails keeps the layout, shows the error, and loads when the network is back', async () => {
  const { page } = visit;
  await open();
  for (const fail of Object.values(failures)) {
    await page.route(chunk, fail);
    await services().click();
    await expectErrorScreen();
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

test('the error screen links to the phone number and the contact page, and reloads the page', async () => {
  const { page } = visit;
  await open();
  await page.route(chunk, route => route.abort());
  await services().click();
  await expectErrorScreen();
  expect(await page.locator('main a[href^="tel:"]').count()).toBe(1);
  await page.locator('main').getByRole('link', { name: 'Contact us' }).click();
  await page.waitForURL('/contact');
  await hydrate(page);
  await services().click();
  await expectErrorScreen();
  await page.unroute(chunk);
  await page.getByRole('button', { name: 'Reload this page' }).click();
  await expect.poll(heading).toContain('Our Services');
  expect(documents()).toHaveLength(1);
});

test('an error of a page keeps the layout, and shows no stack', async () => {
  const { page } = visit;
  visit.allowErrors(/secret detail/);
  const body = 'export function Component() { throw new Error("secret detail") }';
  await page.route(chunk, route => route.fulfill({ contentType: 'text/javascript', body }));
  const error = page.getByRole('heading', { name: 'Unexpected Application Error!' });
  await visit.open('/');
  await hydrate(page);
  await services().click();
  await error.waitFor();
  expect(await page.locator('header').count()).toBe(1);
  expect(await page.locator('body').textContent()).not.toMatch(/secret detail|at Component/);
});
