import { expect, test } from 'vitest';
import { visitSite } from '../harness/page.ts';

/** What a visitor does; tests/pages.test.ts checks that the pages are complete. */
const visit = visitSite({ javaScriptEnabled: false, reducedMotion: 'reduce' });
const path = () => new URL(visit.page.url()).pathname;

test('links, the menu, answers and the back-to-top link work, and what needs JavaScript is not shown', async () => {
  const { page } = visit;
  await page.goto('/');
  expect(await page.locator('[data-replay]:visible').count()).toBe(0);
  await page.getByRole('link', { name: 'Get A Free Cyber Security Audit' }).first().click();
  expect(path()).toBe('/contact');
  await page.getByRole('link', { name: 'Help & FAQ' }).click();
  expect(path()).toBe('/faq');
  expect(await page.locator('search').isVisible()).toBe(false);
  const answers = page.locator('details > [id]');
  expect(await answers.filter({ visible: true }).count()).toBe(0);
  // Find-in-page opens what is closed, and does not see what is hidden.
  const hidden = await answers.evaluateAll(elements =>
    elements.filter(element => element.closest('[hidden]') || getComputedStyle(element).display === 'none'),
  );
  expect(hidden).toEqual([]);
  await page.locator('summary:visible').first().click();
  expect(await answers.first().isVisible()).toBe(true);
  await page.goto(`/faq#${await answers.last().getAttribute('id')}`);
  await expect.poll(() => answers.last().isVisible()).toBe(true);
  await page.getByRole('link', { name: 'Back to top' }).click();
  await expect.poll(async () => (await page.locator('main').boundingBox())?.y).toBeGreaterThan(0);

  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('#menu').getByRole('link', { name: 'services' }).click();
  expect(path()).toBe('/creator');
});

test('a sent message is stored and confirmed, and a refusal is shown', async () => {
  const { page } = visit;
  for (const form of ['/contact', '/creator']) {
    await page.goto(form);
    await page.getByLabel('Message', { exact: true }).fill(`From ${form}`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(`${form}#sent`);
    expect(await page.locator('#sent').isVisible()).toBe(true);
    expect(await page.getByText('Error Occured').isVisible()).toBe(false);
  }
  const stored = await visit.site.store.messages.list({}, { limit: 10 });
  expect(stored.map(({ message }) => message).sort()).toEqual(['From /contact', 'From /creator']);

  await page.goto('/contact');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL('/contact#empty');
  const notices = page.locator(':text("Sent Successfully"):visible');
  expect(await notices.locator('..').allInnerTexts()).toEqual([
    expect.stringContaining('The form was empty'),
  ]);

  await page.goto('/contact');
  await page.locator('#contact-email').evaluate(element => element.setAttribute('type', 'text'));
  await page.locator('#contact-email').fill('not an address');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL('/contact#refused');
  expect(await page.getByText('Error Occured').isVisible()).toBe(true);
});
