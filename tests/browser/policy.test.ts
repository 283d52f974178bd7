import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { paths, stepPaths } from '../../src/site/paths.ts';
import { createSmtpServer, type FakeSmtpServer } from '../fakes/smtp-server.ts';
import { letterSettings, linkIn, mailsTo, sendIssue } from '../harness/letters.ts';
import { wake } from '../harness/page.ts';
import {
  findWithoutIntegrity,
  type SecureSite,
  scrollThrough,
  startSecurely,
  visitSecurely,
} from '../harness/policy.ts';

let smtp: FakeSmtpServer;

const visit = visitSecurely(async (): Promise<SecureSite> => {
  smtp = await createSmtpServer();
  const { SITE_URL: _, ...settings } = letterSettings(smtp);
  const site = await startSecurely(settings);
  await site.worker.start();
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
});

const [small, wide] = [
  { width: 390, height: 800 },
  { width: 1440, height: 900 },
];
const heading = (page: Page) => page.locator('h1').textContent();
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const isShown = (page: Page, words: string) => page.locator(`:text("${words}"):visible`).first().waitFor();

/** A picture that no page of ours may show: whoever would tell of a violation tells of this one, or is asleep. */
const control = 'https://elsewhere.example:9/control.png';

/** After each journey: the policy was not broken, nobody else was asked for anything, and nothing was left behind. */
afterEach(async () => {
  const { strays, events, said } = visit;
  const page = visit.opened.at(-1) as Page;
  expect(await findWithoutIntegrity(page)).toEqual([]);
  expect(await findKept(page)).toEqual([]);
  expect({ strays, events, said }).toEqual({ strays: [], events: [], said: [] });

  visit.expectTrouble(/elsewhere\.example:9.*Content Security Policy/);
  await page.evaluate(address => {
    new Image().src = address;
  }, control);
  const told = { rule: 'img-src', page: new URL(page.url()).pathname };
  await expect.poll(() => said).toEqual([expect.stringContaining(control)]);
  // Where scripts may not run, nobody listens within the page.
  if (await page.locator('html[data-script]').count()) await expect.poll(() => events).toEqual([told]);
});

describe('every page keeps the policy, at 390 and 1440 px, down to its end, in every look and on paper', () => {
  test.each(Object.values(paths))('%s', async path => {
    await walk(path);
  });

  test('those of the newsletter, and the one for what is not there', async () => {
    visit.expectTrouble(/status of 404/);
    // One component shows them all: with a button, with a form, with neither.
    for (const step of ['confirm', 'expired', 'left'] as const) await walk(stepPaths[step]);
    await walk('/no-such-page');
  });
});

test('from page to page, back and forth, without a document', async () => {
  const { page } = visit;
  await visit.go('/');
  await wake(page);
  const headings = [await heading(page)];
  const others = Object.values(paths).filter(path => path !== paths.home && path !== paths.blog);
  for (const path of others) {
    await page
      .locator(`a[href="${path}"]`)
      .first()
      .evaluate((link: HTMLElement) => link.click());
    await page.waitForURL(path);
    await expect.poll(() => heading(page)).not.toBe(headings.at(-1));
    headings.push(await heading(page));
  }
  for (const wanted of headings.slice(0, -1).reverse()) {
    await page.goBack();
    await expect.poll(() => heading(page)).toBe(wanted);
  }
  await page.goForward();
  await expect.poll(() => heading(page)).toBe(headings[1]);
  expect(visit.requests.filter(path => Object.values<string>(paths).includes(path))).toEqual(['/']);
});

test('the menu, the carousel, the answers, their filter, the contents and the pause', async () => {
  const { page } = visit;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.setViewportSize(small);
  await visit.go('/');
  await wake(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Next service' }).click();
  await page.locator('[data-embla]').waitFor();
  await page.locator('.dot').nth(3).click();
  await page.locator('[data-pause]:visible').first().click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('#menu').getByRole('link', { name: 'services' }).click();
  await page.waitForURL(paths.services);

  await page.setViewportSize(wide);
  await visit.go(paths.faq);
  await wake(page);
  await page.locator('main summary').first().click();
  await page.getByRole('button', { name: 'Open all answers' }).click();
  await page.getByRole('searchbox').fill('zzz');
  await page.locator('main details:has(> article):visible').first().waitFor({ state: 'hidden' });
  await page.getByRole('searchbox').fill('');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').last().click();
  await page.locator('[aria-current=location]:visible').waitFor();
  await page.getByRole('link', { name: 'Back to top' }).click();
});

test.each([paths.contact, paths.services])('the form of %s, refused, offline and sent', async path => {
  const { page } = visit;
  visit.expectTrouble(/Failed to load resource.*(422|ERR_INTERNET_DISCONNECTED)/);
  await visit.go(path);
  await wake(page);
  await page.locator('main form').evaluate(form => form.setAttribute('novalidate', ''));
  const email = page.locator('main input[type=email]');
  await email.fill('not an address');
  await send(page);
  await isShown(page, 'Error Occured');
  await email.fill('zoe@example.com');
  await page.context().setOffline(true);
  await send(page);
  await page.getByRole('button', { name: 'Do not send' }).waitFor();
  await page.context().setOffline(false);
  await isShown(page, 'Sent Successfully');
});

test("a page's chunk that fails, and the way out", async () => {
  const { page } = visit;
  visit.expectTrouble(/chunk services failed|Failed to load resource/);
  await visit.go('/');
  await wake(page);
  const chunk = /\/static\/js\/services-/;
  await page.route(chunk, route => route.abort('connectionreset'));
  await page.getByRole('link', { name: 'services', exact: true }).first().click();
  await isShown(page, 'Unexpected Application Error!');
  await page.unroute(chunk);
  await page.getByRole('button', { name: 'Load this page again' }).click();
  await expect.poll(() => heading(page)).toContain('Our Services');
});

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  test('into the newsletter and out of it', async () => {
    const page = await visit.open({ javaScriptEnabled });
    const address = `zoe-${javaScriptEnabled}@example.com`;
    const arrive = async (path: string) => {
      await page.goto(path);
      if (javaScriptEnabled) await wake(page);
    };
    const press = async () => {
      await page.locator('main form:not([action]) button').click();
      await page.waitForURL(url => url.search === '');
    };
    await arrive('/');
    const field = page.getByPlaceholder('your email address', { exact: true });
    await field.fill(address);
    await field.press('Enter');
    await isShown(page, 'Check your inbox to confirm');

    await expect.poll(() => mailsTo(smtp, address).length).toBe(1);
    await arrive(linkIn(mailsTo(smtp, address)[0]?.text ?? '', 'confirm'));
    await press();
    expect(new URL(page.url()).pathname).toBe(stepPaths.confirmed);

    await sendIssue(visit.site, `first-${javaScriptEnabled}`);
    await expect.poll(() => mailsTo(smtp, address).length).toBe(2);
    await arrive(linkIn(mailsTo(smtp, address)[1]?.text ?? '', 'leave'));
    await press();
    expect(new URL(page.url()).pathname).toBe(stepPaths.left);
  });
});

test('without JavaScript: the forms, sent and refused, the menu and an answer', async () => {
  const page = await visit.open({ javaScriptEnabled: false, viewport: small });
  for (const path of [paths.contact, paths.services]) {
    await page.goto(path);
    await send(page);
    await page.waitForURL(`${path}#sent`);
  }
  await page.locator('main input[type=email]').evaluate(field => field.setAttribute('type', 'text'));
  await page.locator('main input[name=email]').fill('not an address');
  await send(page);
  await page.waitForURL(`${paths.services}#refused`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('#menu').getByRole('link', { name: 'Contact' }).click();
  await page.waitForURL(paths.contact);
  await page.goto(paths.faq);
  await page.locator('main summary').first().click();
});

/** A small screen first, then a wide one with other wishes, then paper. */
async function walk(path: string): Promise<void> {
  const { page } = visit;
  await page.setViewportSize(small);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light', reducedMotion: 'no-preference' });
  const response = await page.goto(path);
  expect(response?.headers()).toHaveProperty('strict-transport-security');
  expect(await findWithoutIntegrity(page)).toEqual([]);
  await wake(page);
  await scrollThrough(page);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: 'dark', contrast: 'more', reducedMotion: 'reduce' });
  await scrollThrough(page);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.emulateMedia({ media: 'print' });
}

/** What the browser keeps of the visit beyond where the visitor was, what they have not sent, and that nothing may move. */
async function findKept(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  const kept = await page.evaluate(async () => [
    ...Object.keys(sessionStorage).filter(
      key => !/^(react-router-scroll-positions|motion|unsent-message:\w+)$/.test(key),
    ),
    ...Object.keys(localStorage),
    ...(await caches.keys()),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  ]);
  return [...cookies.map(({ name }) => name), ...kept];
}
