import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { tokenHeader, tokenPath } from '../../src/api/contract.ts';
import { visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const status = () => visit.page.locator('form [aria-live]').first();
const send = () => visit.page.getByRole('button', { name: 'Send', exact: true }).click();

async function open(path = '/contact'): Promise<void> {
  await visit.go(path);
  await wake(visit.page);
  await visit.page.getByLabel('Message', { exact: true }).fill('Hello');
}

test('only 200 is success: notice, reference, and an empty form', async () => {
  await open();
  await send();
  await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
  const reference = await visit.page.getByText(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/).textContent();
  expect(await visit.site.store.messages.get(reference ?? '')).toMatchObject({
    message: 'Hello',
    state: 'new',
  });
  expect(await visit.page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
});

/** Responses other than 200, and the texts shown for them. */
const refusals: [number, Record<string, string>?, string?][] = [
  [201],
  [204],
  [302, { location: '/contact' }],
  [400],
  [422],
  [413, {}, 'too long for this form'],
  [
    429,
    { 'retry-after': '200' },
    'from your network. What you wrote is still here; please try again in 4 minutes',
  ],
  [429, { 'retry-after': '7' }, 'please try again in one minute'],
  [429, {}, 'please try again in a few minutes'],
  [503, { 'retry-after': '5' }, 'could not be stored, and the fault is ours'],
  [500, {}, 'was not accepted'],
];

test('any other status is a refusal: says what to do next and keeps the message', async () => {
  const { page } = visit;
  visit.expectTrouble(/Failed to load resource/);
  await open();
  for (const [code, headers = {}, words] of refusals) {
    const { promise: seen, resolve: release } = Promise.withResolvers<void>();
    await page.route(
      '/api/contact',
      async route => {
        await seen;
        const body = code === 204 ? '' : '{}';
        await route.fulfill({
          status: code,
          body,
          headers: { 'content-type': 'application/json', ...headers },
        });
      },
      { times: 1 },
    );
    await send();
    // The previous notice is gone.
    await expect.poll(() => status().textContent()).toContain('Sending');
    expect(await page.locator(':text("Error Occured"):visible').count()).toBe(0);
    release();
    await page.locator(':text-is("Error Occured"):visible').waitFor();
    if (words) await page.getByText(words).waitFor();
    expect(await page.locator(':text-is("Error Occured"):visible').count(), `${code}`).toBe(1);
    expect(await page.locator(':text("Sent Successfully"):visible').count(), `${code}`).toBe(0);
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Hello');
  }
});

describe('an invalid field', () => {
  test('shows its error and gets the focus, and the error is removed after sending', async () => {
    const { page } = visit;
    visit.expectTrouble(/Failed to load resource.*422/);
    await open('/creator');
    for (const [name, words] of [
      ['email', 'does not look like an e-mail address'],
      ['name', 'characters that are not text'],
      ['message', 'characters that are not text'],
      ['service', 'characters that are not text'],
    ]) {
      await page.route('/api/contact', route => route.fulfill({ status: 422, json: { field: name } }), {
        times: 1,
      });
      await send();
      const field = page.locator(`#services-${name}`);
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(`services-${name}`);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const described = (await field.getAttribute('aria-describedby')) ?? '';
      expect(described.split(' ')[0]).toBe(`services-${name}-error`);
      const error = page.locator(`#services-${name}-error`);
      expect(await error.textContent()).toContain(words);
      // An icon and a thicker border, not colour alone.
      expect(await error.locator('svg').isVisible()).toBe(true);
      expect(await field.evaluate(element => getComputedStyle(element).borderWidth)).toBe('2px');
      expect(await page.locator('[aria-invalid]').count()).toBe(1);
      expect(await page.locator(':text("Error Occured"):visible').count()).toBe(1);
      expect(await page.getByText('the field that is marked').isVisible()).toBe(true);
    }
    await send();
    await page.locator(':text("Sent Successfully"):visible').waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
  });

  test('does not take the focus from outside the form', async () => {
    visit.expectTrouble(/Failed to load resource.*422/);
    const { promise, resolve } = Promise.withResolvers<void>();
    await visit.page.route('/api/contact', async route => {
      await promise;
      await route.fulfill({ status: 422, json: { field: 'name' } });
    });
    await open();
    await send();
    await visit.page.locator('#footer-newsletter').focus();
    resolve();
    await visit.page.locator('#contact-name-error').waitFor();
    expect(await visit.page.evaluate(() => document.activeElement?.id)).toBe('footer-newsletter');
  });

  test("matches the server's own validation", async () => {
    const { page } = visit;
    visit.expectTrouble(/Failed to load resource.*422/);
    await open();
    await page.locator('form[name=contact]').evaluate(form => form.setAttribute('novalidate', ''));
    for (const [name, value] of [
      ['email', 'not an address'],
      ['name', 'Zo\0e'],
      ['message', 'Hel\0lo'],
    ]) {
      const setValue = (text = '') =>
        page.locator(`#contact-${name}`).evaluate((field, text) => {
          (field as HTMLInputElement).value = text;
        }, text);
      await setValue(value);
      await send();
      await page.locator(`#contact-${name}-error`).waitFor();
      expect(await page.locator('#contact-email').getAttribute('aria-describedby')).toBe(
        name === 'email' ? 'contact-email-error contact-hint' : 'contact-hint',
      );
      expect(await page.locator('#contact-hint').textContent()).toContain('cannot reply');
      await setValue();
    }
  });
});

test('a refusal replaces the notice of success', async () => {
  visit.expectTrouble(/Failed to load resource/);
  await visit.page.route('/api/contact', route => route.fulfill({ status: 503, body: '{}' }));
  await visit.page.goto('/contact#sent');
  expect(await visit.page.locator(':text("Sent Successfully"):visible').count()).toBe(1);
  await wake(visit.page);
  await send();
  await visit.page.locator(':text("Error Occured"):visible').waitFor();
  expect(await visit.page.locator(':text("Sent Successfully"):visible').count()).toBe(0);
});

test('a form cannot be submitted while sending', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await visit.page.route('/api/contact', async route => {
    await promise;
    await route.continue();
  });
  await open();
  await send();
  await expect.poll(() => status().textContent()).toContain('Sending');
  await visit.page.getByLabel('Name', { exact: true }).press('Enter');
  await visit.page.getByRole('button', { name: 'Send', exact: true }).click({ force: true });
  resolve();
  await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
  expect(visit.requests.filter(path => path === '/api/contact')).toHaveLength(1);
});

describe('the form token', () => {
  const tokens = () => visit.requests.filter(path => path === tokenPath);
  const sentToken = async () => {
    const [request] = await Promise.all([visit.page.waitForRequest('**/api/contact'), send()]);
    await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
    return request.headers()[tokenHeader];
  };

  test('is fetched once after hydration and sent with every message', async () => {
    const answer = visit.page.waitForResponse(`**${tokenPath}`);
    await visit.go('/contact');
    expect(tokens()).toHaveLength(0);
    await wake(visit.page);
    const { token } = await (await answer).json();
    for (const message of ['Hello', 'Hello again']) {
      await visit.page.getByLabel('Message', { exact: true }).fill(message);
      expect(await sentToken()).toBe(token);
    }
    expect(tokens()).toHaveLength(1);
  });

  test.each<[string, (route: Route) => Promise<void> | undefined]>([
    ['never comes', () => undefined],
    ['cannot be had', route => route.abort('connectionrefused')],
    ['is refused', route => route.fulfill({ status: 503, json: { token: 'abc' } })],
    ['is a page', route => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' })],
    ['is nothing', route => route.fulfill({ json: null })],
    ['fits no header', route => route.fulfill({ json: { token: 'abc\r\nx: y' } })],
  ])('is omitted when it %s', async (_, answer) => {
    visit.expectTrouble(/Failed to load resource/);
    await visit.page.route(tokenPath, answer);
    await open();
    await expect.poll(tokens).toHaveLength(1);
    expect(await sentToken()).toBeUndefined();
  });

  test('is no longer awaited when the form is unmounted', async () => {
    await visit.page.route(tokenPath, () => undefined);
    const failed = visit.page.waitForEvent('requestfailed', request => request.url().endsWith(tokenPath));
    await open();
    await visit.page.locator('header').getByRole('link', { name: 'Home' }).click();
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
  });
});

const twice: [string, () => Promise<void>][] = [
  ['a double click', () => visit.page.getByRole('button', { name: 'Send', exact: true }).dblclick()],
  // A slow double click: the response arrives before the second click.
  [
    'a slow double click',
    () => visit.page.getByRole('button', { name: 'Send', exact: true }).dblclick({ delay: 150 }),
  ],
  [
    'Enter twice',
    async () => {
      const field = visit.page.getByLabel('Name', { exact: true });
      await field.press('Enter');
      await field.press('Enter', { delay: 100 });
    },
  ],
];
test.each(twice)('%s sends one message', async (_, press) => {
  await open();
  await press();
  await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
  await visit.page.waitForTimeout(300);
  expect(visit.requests.filter(path => path === '/api/contact')).toHaveLength(1);
});

test('an empty form can be sent again on purpose', async () => {
  await open();
  for (const count of [1, 2]) {
    await send();
    await expect.poll(() => visit.requests.filter(path => path === '/api/contact').length).toBe(count);
    await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
    await visit.page.waitForTimeout(1100);
  }
});
