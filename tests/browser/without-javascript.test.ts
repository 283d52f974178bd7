import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { visitSite } from '../harness/page.ts';

const visit = visitSite({ javaScriptEnabled: false, reducedMotion: 'reduce' });
let page: Page;
beforeEach(() => {
  page = visit.page;
});

test('links navigate between pages', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Get A Free Cyber Security Audit' }).click();
  expect(new URL(page.url()).pathname).toBe('/contact');
  await page.getByRole('link', { name: 'Help & FAQ' }).click();
  expect(new URL(page.url()).pathname).toBe('/faq');
});

test('the end of the page is rendered on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/blog');
  await page.locator('.entry-link').last().scrollIntoViewIfNeeded();
  await page.getByRole('link', { name: 'Help & FAQ' }).click();
  expect(new URL(page.url()).pathname).toBe('/faq');
});

test('the back-to-top link works', async () => {
  await page.goto('/privacy');
  await page.getByRole('link', { name: 'Back to top' }).click();
  await expect.poll(async () => (await page.locator('main').boundingBox())?.y).toBeGreaterThan(0);
});

test('the menu opens and its links work', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('#menu').getByRole('link', { name: 'services' }).click();
  expect(new URL(page.url()).pathname).toBe('/creator');
});

test('an answer of the FAQ opens', async () => {
  await page.goto('/faq');
  const [question, answer] = [page.locator('summary').first(), page.locator('details p').first()];
  expect(await answer.isVisible()).toBe(false);
  await question.click();
  expect(await answer.isVisible()).toBe(true);
});

describe('forms', () => {
  test.each([
    ['/contact', 'Send', '/contact#sent'],
    ['/creator', 'Send', '/creator#sent'],
  ])('the form of %s is stored and confirmed', async (path, button, answer) => {
    await page.goto(path);
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: button }) });
    await form.locator('input[type=email]').fill('zoe@example.com');
    await form.getByRole('button', { name: button }).click();
    await page.waitForURL(answer);
    expect(await page.getByText('Sent Successfully').isVisible()).toBe(true);
    expect(await page.getByText('Error Occured').isVisible()).toBe(false);
  });

  test.each([
    ['/', 'Submit'],
    ['/privacy', 'Subscribe'],
    ['/newsletter/expired', 'Ask again'],
  ])('signing up for the newsletter on %s leads to a page', async (path, button) => {
    await page.goto(path);
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: button }) });
    const answered = async (address: string) => {
      await form.locator('input[type=email]').fill(address);
      await form.getByRole('button', { name: button }).click();
      return page.getByRole('heading', { level: 1 }).textContent();
    };
    await answered('zoe@nowhere');
    await page.waitForURL('/newsletter/refused');
    await page.goto(path);
    expect(await answered('zoe@example.com')).toBe('Check your inbox to confirm');
    expect(new URL(page.url()).pathname).toBe('/newsletter/asked');
  });

  test.each(['/newsletter/confirm', '/newsletter/leave'])(
    'the one button of %s posts to the address it was opened with',
    async path => {
      await page.goto(`${path}?token=a&id=b&key=c`);
      const [request] = await Promise.all([
        page.waitForRequest(request => request.method() === 'POST'),
        page.locator('main form button').click(),
      ]);
      const { pathname, search } = new URL(request.url());
      expect(pathname + search).toBe(`${path}?token=a&id=b&key=c`);
    },
  );

  test('a refusal is shown', async () => {
    await page.goto('/contact');
    await page.locator('#contact-email').evaluate(element => element.setAttribute('type', 'text'));
    await page.locator('#contact-email').fill('not an address');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL('/contact#refused');
    expect(await page.getByText('Error Occured').isVisible()).toBe(true);
  });
});
