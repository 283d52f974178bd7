import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const chunk = /\/static\/js\/services-/;
const services = () => visit.page.getByRole('link', { name: 'services', exact: true }).first();

const failures: [string, (route: Route) => Promise<void>][] = [
  ['is answered with 503', route => route.fulfill({ status: 503, contentType: 'text/plain', body: 'no' })],
  ['is reset', route => route.abort('connectionreset')],
  [
    'is a page of HTML',
    route => route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' }),
  ],
];

describe.each(failures)('a page chunk that %s', (_, fail) => {
  test('keeps the layout, shows the error, and loads when the network is back', async () => {
    const { page } = visit;
    await breakChunk(fail);
    await expectErrorScreen();
    expect(new URL(page.url()).pathname).toBe('/creator');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.unroute(chunk);
    await services().click();
    await expect.poll(() => page.locator('h1').textContent()).toContain('Our Services');
    expect(visit.requests.filter(path => path === '/creator')).toHaveLength(0);
  });
});

test('a page chunk that hangs fails after 120 s and can be loaded again', async () => {
  const { page } = visit;
  await page.clock.install();
  await visit.go('/');
  await wake(page);
  await page.route(chunk, () => undefined);
  visit.expectTrouble(/chunk services failed/);
  await services().click();
  await page.clock.fastForward(119_000);
  expect(await page.getByText('chunk services').count()).toBe(0);
  expect(await page.locator('.progress').count()).toBe(1);
  await page.clock.fastForward(2_000);
  await expectErrorScreen();
  await page.unroute(chunk);
  await services().click();
  await expect.poll(() => page.locator('h1').textContent()).toContain('Our Services');
});

describe('the error screen', () => {
  test('reloads the page as a document', async () => {
    const { page } = visit;
    await breakChunk(route => route.abort());
    await expectErrorScreen();
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Load this page again' }).click();
    await expect.poll(() => page.locator('h1').textContent()).toContain('Our Services');
    expect(visit.requests.filter(path => path === '/creator')).toHaveLength(1);
  });

  test('links to the contact page and the phone number', async () => {
    const { page } = visit;
    await breakChunk(route => route.abort());
    await expectErrorScreen();
    expect(await page.locator('main a[href^="tel:"]').count()).toBe(1);
    await page.locator('main').getByRole('link', { name: 'Contact us' }).click();
    await page.waitForURL('/contact');
  });

  test('shows the same heading, without a stack, for render errors', async () => {
    const { page } = visit;
    visit.expectTrouble(/secret detail/);
    await page.route(chunk, route =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'export function Component() { throw new Error("secret detail") }',
      }),
    );
    await visit.go('/');
    await wake(page);
    await services().click();
    await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    expect(await page.locator('header').count()).toBe(1);
    expect(await page.locator('body').textContent()).not.toMatch(/secret detail|at Component/);
  });
});

test('an error in the layout shows the same heading and focuses it', async () => {
  const { page } = visit;
  visit.expectTrouble(/secret detail/);
  await visit.go('/');
  await wake(page);
  await page.evaluate(() => {
    // The header looks up the menu after each navigation: a way to make the layout throw.
    document.getElementById('menu')?.remove();
    Document.prototype.getElementById = () => {
      throw new Error('secret detail');
    };
  });
  await page.getByRole('link', { name: 'services', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  expect(await page.locator('body').textContent()).not.toContain('secret detail');
});

async function breakChunk(fail: (route: Route) => Promise<void>): Promise<void> {
  const { page } = visit;
  visit.expectTrouble(/chunk services failed/, /Failed to load resource|Failed to load module script/);
  await visit.go('/');
  await wake(page);
  await page.route(chunk, fail);
  await services().click();
}

async function expectErrorScreen(): Promise<void> {
  const { page } = visit;
  await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
  expect(await page.getByText('chunk services failed').count()).toBe(1);
  expect(await page.locator('header').count()).toBe(1);
  expect(await page.locator('footer').count()).toBe(1);
}
