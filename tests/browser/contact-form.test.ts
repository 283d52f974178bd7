import { expect, test } from 'vitest';
import { visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const status = () => visit.page.locator('form [aria-live]').first();
const send = () => visit.page.getByRole('button', { name: 'Send', exact: true }).click();

async function open(): Promise<void> {
  await visit.go('/contact');
  await wake(visit.page);
  await visit.page.getByLabel('Message', { exact: true }).fill('Hello');
}

test('exactly 200 is success: the notice, the reference, and an empty form', async () => {
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

test.each([201, 204, 302, 400, 422, 429, 500, 503])(
  '%i is a refusal, and what was written stays',
  async code => {
    visit.expectTrouble(/Failed to load resource/);
    await visit.page.route('/api/contact', route =>
      route.fulfill({
        status: code,
        body: code === 204 ? '' : '{}',
        headers: { 'content-type': 'application/json', ...(code === 302 ? { location: '/contact' } : {}) },
      }),
    );
    await open();
    await send();
    await visit.page.locator(':text("Error Occured"):visible').waitFor();
    expect(await visit.page.locator(':text("Sent Successfully"):visible').count()).toBe(0);
    expect(await visit.page.getByLabel('Message', { exact: true }).inputValue()).toBe('Hello');
  },
);

test('a refused field is named beside it', async () => {
  visit.expectTrouble(/Failed to load resource.*422/);
  await open();
  await visit.page.locator('main form').evaluate(form => form.setAttribute('novalidate', ''));
  await visit.page.locator('#contact-email').fill('not an address');
  await send();
  const error = visit.page.locator('#contact-email-error');
  await error.waitFor();
  expect(await visit.page.locator('#contact-email').getAttribute('aria-describedby')).toBe(
    'contact-email-error contact-hint',
  );
  expect(await visit.page.locator('#contact-hint').textContent()).toContain('cannot reply');
});

test('a page that says sent says so no longer when the next message is refused', async () => {
  visit.expectTrouble(/Failed to load resource/);
  await visit.page.route('/api/contact', route => route.fulfill({ status: 503, body: '{}' }));
  await visit.page.goto('/contact#sent');
  expect(await visit.page.locator(':text("Sent Successfully"):visible').count()).toBe(1);
  await wake(visit.page);
  await send();
  await visit.page.locator(':text("Error Occured"):visible').waitFor();
  expect(await visit.page.locator(':text("Sent Successfully"):visible').count()).toBe(0);
});

test('a form that is being sent cannot be sent twice', async () => {
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
