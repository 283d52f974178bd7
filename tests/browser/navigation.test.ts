import { describe, expect, test } from 'vitest';
import { hydrated, visitSite, wake, withMotion } from '../harness/page.ts';

const visit = visitSite();
const heading = () => visit.page.locator('h1').textContent();
const focused = () =>
  visit.page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
const documents = () => visit.requests.filter(path => !path.includes('.') && !path.startsWith('/api/'));

describe('after hydration', () => {
  test('a link navigates without loading a document, and sets title, scroll and focus', async () => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByRole('link', { name: 'Help & FAQ' }).click();
    await expect.poll(focused).toBe('H1 Help & FAQ');
    expect(new URL(page.url()).pathname).toBe('/faq');
    expect(await heading()).toBe('Help & FAQ');
    expect(await page.title()).toMatch(/^Help & FAQ — /);
    expect(await page.locator('meta[name=description]').count()).toBe(1);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(documents()).toEqual(['/']);
  });

  test('Back and Forward restore the scroll position', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await page.evaluate(() => scrollTo(0, 700));
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    await expect.poll(heading).toContain('Our Services');
    await page.evaluate(() => scrollTo(0, 1200));
    await page.goBack();
    await expect.poll(heading).toBe('Help & FAQ');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
    await page.goForward();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(1200);
    expect(documents()).toEqual(['/faq']);
  });

  test('Back restores the scroll position across a reload and another document', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await page.evaluate(() => scrollTo(0, 700));
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    await page.waitForURL('/creator');
    await page.reload();
    await wake(page);
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
    await page.goto('/privacy');
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
    await page.evaluate(() => scrollTo(0, 300));
    await hydrated(page);
    await page.waitForTimeout(150);
    expect(await page.evaluate(() => scrollY)).toBe(300);
  });

  test('Back after a reload shows its page before hydration', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    await page.waitForURL('/creator');
    await page.reload();
    await page.evaluate(() => history.back());
    await expect.poll(heading).toBe('Help & FAQ');
    expect(new URL(page.url()).pathname).toBe('/faq');
    await page.evaluate(() => history.forward());
    await expect.poll(heading).toContain('Our Services');
    // A fragment is not another page.
    await page.evaluate(() => {
      location.hash = 'top';
    });
    await page.waitForTimeout(100);
    expect(documents()).toEqual(['/faq', '/creator', '/faq', '/creator']);
  });

  test('a link to a fragment of another page scrolls there and focuses it', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await page.getByRole('button', { name: 'Open all answers' }).click();
    await page.locator('a[href="/creator#locker-security"]').first().click();
    await page.waitForURL('/creator#locker-security');
    const place = page.locator('#locker-security');
    await expect.poll(() => place.evaluate(element => element === document.activeElement)).toBe(true);
    const top = await place.evaluate(element => element.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(200);
  });

  test.each([
    ['hover', () => visit.page.getByRole('link', { name: 'services', exact: true }).first().hover()],
    ['focus', () => visit.page.getByRole('link', { name: 'services', exact: true }).first().focus()],
    [
      'touchstart',
      () =>
        visit.page.getByRole('link', { name: 'services', exact: true }).first().dispatchEvent('touchstart'),
    ],
  ])('%s prefetches the page of a link', async (_, act) => {
    await visit.go('/privacy');
    await wake(visit.page);
    expect(visit.requests.filter(isServicesChunk)).toHaveLength(0);
    await act();
    await expect.poll(() => visit.requests.filter(isServicesChunk).length).toBe(1);
  });

  test('nothing is prefetched with Save-Data', async () => {
    const { page } = visit;
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
    await visit.go('/privacy');
    await wake(page);
    const link = page.getByRole('link', { name: 'services', exact: true }).first();
    await link.hover();
    await page.waitForTimeout(200);
    expect(visit.requests.filter(isServicesChunk)).toHaveLength(0);
    await link.click();
    await page.waitForURL('/creator');
  });

  test('of two links followed in a row the last one wins', async () => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/static\/js\/services-/, async route => {
      await promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    await page.getByRole('link', { name: 'Help & FAQ' }).click();
    await expect.poll(heading).toBe('Help & FAQ');
    resolve();
    await page.waitForTimeout(200);
    expect(await heading()).toBe('Help & FAQ');
    expect(new URL(page.url()).pathname).toBe('/faq');
    await page.goBack();
    await expect.poll(heading).not.toBe('Help & FAQ');
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('a cancelled navigation leaves no progress bar', async () => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    await page.evaluate(() => {
      for (const path of ['/creator', '/'])
        document.querySelector<HTMLElement>(`header a[href="${path}"]`)?.click();
    });
    await page.waitForResponse(/\/static\/js\/services-/);
    await page.waitForTimeout(200);
    expect(await page.locator('.progress').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('a link to a file is left to the browser', async () => {
    const { page } = visit;
    await page.route(/\/static\/js\/faq-/, async route => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('/creator#locker-security', '/robots.txt');
      await route.fulfill({ response, body });
    });
    await visit.go('/');
    await wake(page);
    await page.getByRole('link', { name: 'Help & FAQ' }).click();
    await page.getByRole('button', { name: 'Open all answers' }).click();
    await page.locator('a[href="/robots.txt"]').click();
    await page.waitForURL('/robots.txt');
    expect(await page.textContent('body')).toContain('User-agent');
  });

  test.each(['Control', 'Shift'])('a click with %s is left to the browser', async key => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    const opened = page.context().waitForEvent('page');
    await page
      .getByRole('link', { name: 'services', exact: true })
      .first()
      .click({ modifiers: [key as 'Control' | 'Shift'] });
    await (await opened).waitForURL('/creator');
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('following the same link again adds no history entry', async () => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    const services = page.getByRole('link', { name: 'services', exact: true }).first();
    await services.click();
    await expect.poll(heading).toContain('Our Services');
    await page.evaluate(() => scrollTo(0, 900));
    await services.click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  test('the progress bar is shown after 150 ms, not before', async () => {
    const page = await visit.open(withMotion);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/static\/js\/services-/, async route => {
      await promise;
      await route.continue();
    });
    await page.goto('/');
    await wake(page);
    const bar = page.locator('.progress');
    await page.evaluate(() => document.querySelector<HTMLElement>('header a[href="/creator"]')?.click());
    const delay = await bar.evaluate(element => getComputedStyle(element).animationDelay);
    expect(delay).toBe('0.15s, 0.15s');
    await bar.waitFor({ state: 'visible' });
    resolve();
    await page.waitForURL('/creator');
    await bar.waitFor({ state: 'detached' });
  });

  test('the back-to-top button appears after the first screen and scrolls up in half a second', async () => {
    const page = await visit.open(withMotion);
    await page.clock.install();
    await page.goto('/privacy');
    await wake(page);
    const button = page.getByRole('link', { name: 'Back to top' });
    expect(await button.isVisible()).toBe(false);
    await page.evaluate(() => scrollTo(0, innerHeight - 20));
    await page.waitForTimeout(100);
    expect(await button.isVisible()).toBe(false);
    await page.evaluate(() => scrollTo(0, innerHeight + 20));
    await button.waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.clock.pauseAt(Date.now() + 60_000);
    await button.press('Enter');
    await page.clock.runFor(400);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await page.clock.runFor(150);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('top');
    expect(new URL(page.url()).hash).toBe('');
  });

  test('a fragment that cannot be decoded is ignored', async () => {
    const { page } = visit;
    visit.expectTrouble(/is not a decodable element ID/);
    await visit.go('/');
    await wake(page);
    await page.evaluate(() => {
      history.pushState({}, '', '/#%zz');
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    });
    await page.waitForTimeout(200);
    expect(await page.locator('header').count()).toBe(1);
    expect(await page.getByText('Unexpected Application Error!').count()).toBe(0);
  });

  test('an unknown URL shows the 404 page', async () => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    await page.evaluate(() => {
      history.pushState({}, '', '/no/such/page');
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
    });
    await page.getByText('404').waitFor();
    expect(await page.locator('footer').count()).toBe(1);
  });
});

describe('the menu of small screens', () => {
  test.each([
    ['before hydration', false],
    ['after hydration', true],
  ])('opens, closes, also by Escape, and navigates, %s', async (_, isAwake) => {
    const { page } = visit;
    if (!isAwake) await page.route(/\/static\/js\/(?!boot)/, () => undefined);
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.go('/privacy');
    if (isAwake) await wake(page);
    const button = page.getByRole('button', { name: 'Menu' });
    const item = page.locator('#menu').getByRole('link', { name: 'services' });
    await button.click();
    expect(await item.isVisible()).toBe(true);
    await button.click();
    expect(await item.isVisible()).toBe(false);
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await item.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await item.isVisible()).toBe(false);
    expect(await button.evaluate(element => element === document.activeElement)).toBe(true);
    await button.click();
    await item.click();
    await page.waitForURL('/creator');
    await expect.poll(heading).toContain('Our Services');
    expect(await item.isVisible()).toBe(false);
  });
});

function isServicesChunk(path: string): boolean {
  return path.startsWith('/static/js/services-');
}
