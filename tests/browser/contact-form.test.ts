import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { contactPath, tokenHeader, tokenPath } from '../../src/features/messages/contract.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const status = () => visit.page.locator('form [aria-live]:not(label ~ *)').first();
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const button = () => visit.page.getByRole('button', { name: 'Send', exact: true });
const send = () => button().click();
const posts = () => visit.requests.filter(path => path === contactPath);

async function open(path = '/contact'): Promise<void> {
  await visit.open(path);
  await hydrate(visit.page);
  await field('Message').fill('Hello');
}

async function expectSent(): Promise<void> {
  await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
}

/** describe-refusal.test.ts has the texts for other responses. */
const refusals: [number, Record<string, string>, string][] = [
  [302, { location: '/contact' }, 'was not accepted'],
  [503, { 'retry-after': '5' }, 'couldn’t save your message'],
];

test('any status but 200 is a refusal: it says what to do next, keeps the message, and replaces success', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource/);
  const sent = page.locator(':text("Sent Successfully"):visible');
  await open('/contact#sent');
  expect(await sent.count()).toBe(1);
  for (const [code, headers, words] of refusals) {
    const { promise: seen, resolve: release } = Promise.withResolvers<void>();
    await page.route(
      contactPath,
      async route => {
        await seen;
        await route.fulfill({ status: code, json: {}, headers });
      },
      { times: 1 },
    );
    await send();
    // The previous notice is gone.
    await expect.poll(() => status().textContent()).toContain('Sending');
    expect(await page.locator(':text("Error Occured"):visible').count()).toBe(0);
    // The form cannot be submitted while sending.
    await field('Name').press('Enter');
    await button().click({ force: true });
    release();
    await page.locator(':text-is("Error Occured"):visible').waitFor();
    await page.getByText(words).waitFor();
    expect(await sent.count(), `${code}`).toBe(0);
    expect(await field('Message').inputValue()).toBe('Hello');
  }
  expect(posts()).toHaveLength(refusals.length);
});

test('an invalid field shows its error and gets the focus, and the error is removed after sending', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource.*422/);
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await open('/creator');
  const refuse = (route: Route) => route.fulfill({ status: 422, json: { field: 'service' } });
  await page.route(contactPath, refuse, { times: 1 });
  await send();
  await expect.poll(focused).toBe('services-service');
  const input = page.locator('#services-service');
  expect(await input.getAttribute('aria-invalid')).toBe('true');
  expect(await input.getAttribute('aria-describedby')).toContain('services-service-error');
  expect(await page.locator('#services-service-error').textContent()).toContain('that are not text');
  expect(await findAxeViolations(page, { selector: 'main' })).toEqual([]);

  // The browser's own check, in our words, without a request or a notice.
  const before = posts().length;
  await field('Email').fill('nowhere');
  await send();
  await expect.poll(focused).toBe('services-email');
  expect(await page.locator('#services-email-error').textContent()).toContain('not look like an email');
  expect(await page.locator(':text("Error Occured"):visible').count()).toBe(0);
  expect(posts()).toHaveLength(before);
  await field('Email').fill('zoe@example.com');
  expect(await page.locator('#services-email-error').count()).toBe(0);

  await send();
  await expectSent();
  expect(await page.locator('[aria-invalid]').count()).toBe(0);
});

test('a slow double click and Enter twice send one message, and an empty form can be sent later', async () => {
  const { page } = visit;
  await page.clock.install();
  await open();
  const presses = [
    () => button().dblclick(),
    // The response arrives before the second click.
    () => button().dblclick({ delay: 150 }),
    async () => {
      await field('Name').press('Enter');
      await field('Name').press('Enter', { delay: 100 });
    },
  ];
  for (const [index, press] of presses.entries()) {
    await field('Message').fill('Hello');
    await press();
    await expectSent();
    await page.clock.runFor(300);
    await page.evaluate(() => fetch('/robots.txt'));
    expect(posts()).toHaveLength(index + 1);
  }
  // The colours of a notice: its border, its icon and its lines.
  const readColours = () =>
    page
      .locator(':text("Sent Successfully"):visible')
      .locator('../..')
      .evaluate(notice =>
        [notice, ...notice.querySelectorAll('*')].map(part => {
          const { color, borderTopColor } = getComputedStyle(part);
          return part === notice ? borderTopColor : color;
        }),
      );
  const [accent = ''] = await readColours();
  await page.clock.fastForward(1100);
  await send();
  await expect.poll(() => posts().length).toBe(presses.length + 1);
  await expectSent();
  expect(await page.locator(':text("The form was empty"):visible').count()).toBe(1);
  expect(await readColours()).not.toContain(accent);
});

test('a message is confirmed with its reference, and carries the form token, which is fetched once', async () => {
  const { page, site } = visit;
  const tokens = () => visit.requests.filter(path => path === tokenPath);
  const answer = page.waitForResponse(`**${tokenPath}`);
  await visit.open('/contact');
  expect(tokens()).toHaveLength(0);
  await hydrate(page);
  const { token } = await (await answer).json();
  for (const message of ['Hello', 'Hello again']) {
    await field('Message').fill(message);
    expect(await sendAndReadToken()).toBe(token);
    const reference = await page.getByText(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/).textContent();
    expect(await site.store.messages.get(reference ?? '')).toMatchObject({ message, state: 'new' });
    expect(await field('Message').inputValue()).toBe('');
  }
  expect(tokens()).toHaveLength(1);
  expect(await findAxeViolations(page, { selector: 'main' })).toEqual([]);
});

async function sendAndReadToken(): Promise<string | undefined> {
  const [request] = await Promise.all([visit.page.waitForRequest(`**${contactPath}`), send()]);
  await expectSent();
  return request.headers()[tokenHeader];
}

test('a message is sent without the form token while there is none, or none that a header can have', async () => {
  const { page } = visit;
  const answers = [() => undefined, (route: Route) => route.fulfill({ json: { token: 'abc\r\nx: y' } })];
  for (const answer of answers) {
    await page.route(tokenPath, answer);
    const asked = page.waitForRequest(`**${tokenPath}`);
    await open();
    await asked;
    expect(await sendAndReadToken()).toBeUndefined();
    await page.unroute(tokenPath);
  }
});

test('Request this service chooses it in the form, before and after hydration', async () => {
  const { page } = visit;
  const chosen = () => page.locator('#services-service').inputValue();
  const request = (name: string) =>
    page.getByRole('link', { name: new RegExp(`^Request this service ?: ${name}`) }).click();
  await visit.open('/creator');
  await request('Data Security');
  await expect.poll(chosen).toBe('Data Security');
  await page.locator('html[data-script="react"]').waitFor();
  expect(await chosen()).toBe('Data Security');
  await request('Web Security');
  await expect.poll(chosen).toBe('Web Security');
  expect(new URL(page.url()).hash).toBe('#request');
});
