import { expect, test } from 'vitest';
import { visitSite } from '../harness/page.ts';

/** What a visitor does; tests/pages.test.ts checks that the pages are complete. */
const visit = visitSite({ javaScriptEnabled: false, reducedMotion: 'reduce' });
const path = () => new URL(visit.page.url()).pathname;

test('links, the menu, answers and the back-to-top link work, and what needs JavaScript is not shown', async () => {
  const { page } = visit;
  const scripted = page.locator('[data-replay]');
  await page.goto('/');
  expect(await scripted.filter({ visible: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Get A Free Cyber Security Audit' }).first().click();
  expect(path()).toBe('/contact');
  await page.getByRole('link', { name: 'Help & FAQ' }).click();
  expect(path()).toBe('/faq');
  expect(await scripted.count()).toBe(1);
  expect(await scripted.isVisible()).toBe(false);
  const [question, answer] = [page.locator('summary:visible').first(), page.locator('details p').first()];
  expect(await answer.isVisible()).toBe(false);
  await question.click();
  expect(await answer.isVisible()).toBe(true);
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
