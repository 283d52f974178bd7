import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page, ViewportSize } from 'playwright-core';
import { expect, test } from 'vitest';
import { newsletterPath } from '../../src/api/contract.ts';
import { visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The states that a visitor can bring a page into. */
const states: Record<
  string,
  { path: string; widths: number[]; reach: ((page: Page) => Promise<unknown>)[] }
> = {
  'the open menu': {
    path: '/',
    widths: [320, 390],
    reach: [page => page.getByRole('button', { name: 'Menu' }).click()],
  },
  'a home page with its carousel turned, its motion paused and its newsletter boxes sent': {
    path: '/',
    widths: [390, 1440],
    reach: [
      async page => {
        await page.getByRole('button', { name: 'Next service' }).click();
        await page.locator('[data-embla]').waitFor();
        await page.getByRole('button', { name: 'Pause motion' }).click();
        for (const box of ['home', 'footer']) await signUpForNewsletter(page, box, 'zoe@example.com');
        await page.locator('footer').getByText('Check your inbox to confirm').waitFor();
      },
    ],
  },
  'a newsletter box that was refused': {
    path: '/',
    widths: [390, 1440],
    reach: [
      async page => {
        visit.expectTrouble(/Failed to load resource/);
        await signUpForNewsletter(page, 'home', 'zoe@nowhere');
        await page.locator('#home-newsletter-error').waitFor();
        await page.route(newsletterPath, route => route.fulfill({ status: 503, json: {} }));
        await signUpForNewsletter(page, 'footer', 'zoe@example.com');
        await page.getByText('was not taken').waitFor();
      },
    ],
  },
  'a form that was refused, then sent': {
    path: '/contact',
    widths: [390, 1440],
    reach: [
      async page => {
        visit.expectTrouble(/Failed to load resource.*422/);
        await page.locator('main form').evaluate(form => form.setAttribute('novalidate', ''));
        await page.locator('#contact-email').fill('not an address');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.locator('#contact-email-error').waitFor();
      },
      async page => {
        await page.locator('#contact-email').fill('zoe@example.com');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.getByText('Sent Successfully').last().waitFor();
      },
    ],
  },
  'a form that is offline': {
    path: '/creator',
    widths: [390, 1440],
    reach: [
      async page => {
        visit.expectTrouble(/Failed to load resource|net::ERR/);
        await page.route('/api/contact', route => route.abort('internetdisconnected'));
        await page.getByRole('button', { name: 'Send' }).click();
        await page.getByRole('button', { name: 'Do not send' }).waitFor();
      },
    ],
  },
  'an accordion that is opened, then filtered': {
    path: '/faq',
    widths: [390, 1440],
    reach: [
      page => page.locator('main details').first().locator('summary').click(),
      async page => {
        await page.getByRole('searchbox').fill('zzz');
        await page.locator('main details:has(> article):visible').first().waitFor({ state: 'hidden' });
      },
    ],
  },
};

test.each(Object.entries(states))('axe finds no violation: %s', async (_, { path, widths, reach }) => {
  const [width = 0] = widths;
  const page = await openWithAxe(path, { width, height: 900 });
  await wake(page);
  for (const act of reach) {
    await act(page);
    for (const next of widths) {
      await page.setViewportSize({ width: next, height: 900 });
      expect(await findAxeViolations(page), `at ${next} px`).toEqual([]);
    }
  }
});

test('the skip link moves the focus to the main content', async () => {
  const { page } = visit;
  await visit.go('/');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

test('the menu works with the keyboard alone', async () => {
  const page = await open('/', { width: 390, height: 800 });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('#menu') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  expect(await page.locator('#menu').isVisible()).toBe(false);
  expect(await menu.evaluate(button => button === document.activeElement)).toBe(true);
  // Moving past the last link closes it.
  await page.keyboard.press('Enter');
  for (let press = 0; press < 4; press++) await page.keyboard.press('Tab');
  expect(await page.locator('#menu').isVisible()).toBe(false);
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /Our Services/ }).waitFor();
});

test('a message can be sent with the keyboard alone', async () => {
  const page = await open('/contact');
  await page.locator('#contact-name').focus();
  await page.keyboard.type('A visitor');
  await page.keyboard.press('Tab');
  await page.keyboard.type('visitor@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Hello');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Sent Successfully').last().waitFor();
});

test('forced colours keep every border and mark visible', async () => {
  const page = await open('/', undefined, { forcedColors: 'active' });
  await wake(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const [ground, dot, edge] = await page.locator('.dot[aria-current]').evaluate(element => {
      const { backgroundColor, borderColor } = getComputedStyle(element, '::after');
      return [getComputedStyle(document.body).backgroundColor, backgroundColor, borderColor];
    });
    expect(dot).toBe(edge);
    expect(dot).not.toBe(ground);
    const border = await page
      .getByRole('link', { name: 'Contact', exact: true })
      .first()
      .evaluate(link => getComputedStyle(link).borderTopWidth);
    expect(border).toBe('1px');
  }
});

type Media = Parameters<Page['emulateMedia']>[0];

async function openWithAxe(path: string, size?: ViewportSize, media?: Media): Promise<Page> {
  await visit.page.addInitScript(axe);
  return open(path, size, media);
}

async function open(path: string, size?: ViewportSize, media?: Media): Promise<Page> {
  const { page } = visit;
  if (size) await page.setViewportSize(size);
  if (media) await page.emulateMedia(media);
  await page.goto(path);
  return page;
}

async function signUpForNewsletter(page: Page, box: string, address: string): Promise<void> {
  await page.locator(`#${box}-newsletter`).fill(address);
  await page.locator(`#${box}-newsletter`).press('Enter');
}

async function findAxeViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const options: RunOptions = { resultTypes: ['violations'] };
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    const { violations } = await axe.run(options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`),
    );
  });
}
