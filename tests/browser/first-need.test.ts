import { describe, expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { hydrated, point, visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const scripts = () =>
  visit.requests.filter(path => path.endsWith('.js')).map(path => path.replace(/-[\w-]{8}\.js$/, ''));
const messages = '/api/contact';

describe('React at first need', () => {
  test.each(Object.entries(paths))(
    '%s loads the boot script alone until the visitor does something',
    async (_, path) => {
      await visit.page.setViewportSize({ width: 1280, height: 500 });
      await visit.page.goto(path, { waitUntil: 'networkidle' });
      expect(scripts()).toEqual(['/static/js/boot']);
      await wake(visit.page);
      expect(scripts().filter(name => name === '/static/js/main')).toHaveLength(1);
    },
  );

  const signs: [string, () => Promise<unknown>][] = [
    ['points', () => point(visit.page)],
    ['types', () => visit.page.keyboard.press('Shift')],
    [
      'focuses',
      () => visit.page.evaluate(() => document.querySelector<HTMLElement>('input[type=email]')?.focus()),
    ],
    ['scrolls', () => visit.page.evaluate(() => scrollBy(0, 40))],
  ];
  test.each(signs)('comes when the visitor %s', async (_, act) => {
    await visit.go('/privacy');
    await act();
    await hydrated(visit.page);
  });

  test('comes when the visitor touches', async () => {
    const page = await visit.open({ hasTouch: true });
    await page.goto('/privacy');
    await page.touchscreen.tap(100, 500);
    await hydrated(page);
  });

  test('comes when a part that needs it is within 200 px of the window', async () => {
    await visit.go('/');
    const top = await visit.page.evaluate(
      () => document.querySelector('[data-needs-react]')?.getBoundingClientRect().top ?? 0,
    );
    expect(scripts()).toEqual(['/static/js/boot']);
    await visit.page.setViewportSize({ width: 1280, height: Math.round(top) - 260 });
    await visit.page.waitForTimeout(300);
    expect(scripts()).toEqual(['/static/js/boot']);
    await visit.page.setViewportSize({ width: 1280, height: Math.round(top) - 150 });
    await hydrated(visit.page);
  });

  test('does not move the page or the focus when it arrives half-way down', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await page.evaluate(() => scrollTo(0, 900));
    await hydrated(page);
    await page.waitForTimeout(100);
    expect(await page.evaluate(() => scrollY)).toBe(900);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  });

  test('tries again at the next sign when the network failed', async () => {
    const { page } = visit;
    visit.expectTrouble(/Failed to load resource/);
    await page.route('**/static/js/main-*', route => route.abort(), { times: 1 });
    await visit.go('/faq');
    await point(page);
    await page.waitForTimeout(300);
    await page.locator('summary').first().click();
    expect(
      await page
        .locator('details')
        .first()
        .evaluate(element => element.hasAttribute('open')),
    ).toBe(true);
    await wake(page);
  });
});

describe('a control that only React can work', () => {
  test('does its work exactly once when clicked before React is here', async () => {
    const { page } = visit;
    const release = await holdChunks();
    await page.goto('/faq');
    await page.getByRole('button', { name: 'Open all answers' }).click();
    await page.waitForTimeout(200);
    expect(await page.locator('details[open]').count()).toBe(0);
    release();
    await expect.poll(() => page.locator('details[open]').count()).toBe(25);
    await page.waitForTimeout(200);
    expect(await page.locator('details[open]').count()).toBe(25);
  });

  test('does its work exactly once when clicked at any moment of the hand-over', async () => {
    const { page } = visit;
    await visit.go('/faq');
    // Clicks in the very task in which React has begun to listen but has not rendered yet.
    await page.evaluate(() => {
      const root = document.getElementById('root') as HTMLElement;
      const listen = root.addEventListener;
      let isFirst = true;
      root.addEventListener = function (this: HTMLElement, ...args: Parameters<typeof listen>) {
        listen.apply(this, args);
        if (!isFirst) return;
        isFirst = false;
        queueMicrotask(() => document.querySelector<HTMLElement>('[data-replay]')?.click());
      } as typeof listen;
    });
    await point(page);
    await hydrated(page);
    await expect.poll(() => page.locator('details[open]').count()).toBe(25);
    await page.waitForTimeout(200);
    expect(await page.locator('details[open]').count()).toBe(25);
  });
});

describe('a form typed before React is here', () => {
  const written = { name: 'Zoë', email: 'zoe@example.com', message: 'First line\nsecond line' };

  async function fillIn() {
    const { page } = visit;
    await page.getByLabel('Name', { exact: true }).fill(written.name);
    await page.getByLabel('Email', { exact: true }).fill(written.email);
    await page.getByLabel('Message', { exact: true }).fill(written.message);
  }

  async function storedMessage() {
    const text = await visit.page.getByText(/[0-9A-Z]{5}-[0-9A-Z]{5}/).textContent();
    return visit.site.store.messages.get(text ?? '');
  }

  test('arrives whole when sent after hydration', async () => {
    const release = await holdChunks();
    await visit.page.goto('/contact');
    await fillIn();
    release();
    await hydrated(visit.page);
    expect(await visit.page.getByLabel('Message', { exact: true }).inputValue()).toBe(written.message);
    await visit.page.getByRole('button', { name: 'Send' }).click();
    await visit.page.getByText('Sent Successfully').last().waitFor();
    expect(await storedMessage()).toMatchObject(written);
    expect(await visit.page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
  });

  test('arrives whole, once, when sent while React is on its way', async () => {
    await holdChunks();
    await visit.page.goto('/contact');
    await fillIn();
    const [request] = await Promise.all([
      visit.page.waitForRequest(request => request.method() === 'POST'),
      visit.page.getByRole('button', { name: 'Send' }).click(),
    ]);
    expect(Object.fromEntries(new URLSearchParams(request.postData() ?? ''))).toMatchObject({
      ...written,
      message: 'First line\r\nsecond line',
    });
    await visit.page.waitForURL('/contact#sent');
    await visit.page.getByText('Sent Successfully').first().waitFor();
    expect(visit.requests.filter(path => path === messages)).toHaveLength(1);
  });

  test('arrives whole, once, when sent as React takes the page over', async () => {
    const { page } = visit;
    await visit.go('/contact');
    await page.evaluate(fields => {
      for (const [name, value] of Object.entries(fields)) {
        (document.querySelector(`#contact-${name}`) as HTMLInputElement).value = value;
      }
      const root = document.getElementById('root') as HTMLElement;
      const listen = root.addEventListener;
      let isFirst = true;
      root.addEventListener = function (this: HTMLElement, ...args: Parameters<typeof listen>) {
        listen.apply(this, args);
        if (isFirst) queueMicrotask(() => document.querySelector<HTMLElement>('main [type=submit]')?.click());
        isFirst = false;
      } as typeof listen;
    }, written);
    await point(page);
    await page.locator(':text("Sent Successfully"):visible').waitFor();
    expect(visit.requests.filter(path => path === messages)).toHaveLength(1);
  });
});

/** Keeps every chunk but the boot script on the wire until released: a network slower than the visitor. */
async function holdChunks(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await visit.page.route(/\/static\/js\/(?!boot)/, async route => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  return resolve;
}
