import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { delayChunks, hydrated, point, visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const scripts = () =>
  visit.requests.filter(path => path.endsWith('.js')).map(path => path.replace(/-[\w-]{8}\.js$/, ''));
const messages = '/api/contact';

describe('deferred hydration', () => {
  const interactions: [string, () => Promise<unknown>][] = [
    ['points', () => point(visit.page)],
    ['types', () => visit.page.keyboard.press('Shift')],
    [
      'focuses',
      () => visit.page.evaluate(() => document.querySelector<HTMLElement>('input[type=email]')?.focus()),
    ],
    ['scrolls', () => visit.page.evaluate(() => scrollBy(0, 40))],
  ];
  test.each(interactions)('starts when the visitor %s', async (_, act) => {
    await visit.go('/privacy');
    await act();
    await hydrated(visit.page);
  });

  test('starts on touch', async () => {
    const page = await visit.open({ hasTouch: true });
    await page.goto('/privacy');
    await page.touchscreen.tap(100, 500);
    await hydrated(page);
  });

  test('does not start or fetch between a touch and its click', async () => {
    const { page } = visit;
    await visit.go('/privacy');
    // Pressed again and again, so that the press never times out.
    await page.evaluate(() => {
      const press = () => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      press();
      const pressing = setInterval(press, 50);
      addEventListener('click', () => clearInterval(pressing), { once: true });
    });
    await page.waitForTimeout(600);
    expect(scripts()).toEqual(['/static/js/boot']);
    expect(await page.locator('html').getAttribute('data-script')).toBe('boot');
    await page.evaluate(() => document.body.click());
    await hydrated(page);
  });

  test('starts although a press ends outside the page', async () => {
    await visit.go('/privacy');
    await visit.page.evaluate(() => document.body.dispatchEvent(new PointerEvent('pointerdown')));
    await hydrated(visit.page);
  });

  test('starts when a component that needs it is within 200 px of the viewport', async () => {
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

  test('keeps what was typed into a page that the browser has translated', async () => {
    const { page } = visit;
    visit.expectTrouble(/React error #418/);
    const release = await delayChunks(page);
    await visit.go('/contact');
    await page.evaluate(translatePage);
    await page.locator('main [name=name]').fill('Zoë');
    await page.locator('main textarea').click();
    await page.keyboard.type('Nous avons été');
    release();
    await hydrated(page);
    await page.keyboard.type(' piratés');
    expect(await page.locator('main textarea').inputValue()).toBe('Nous avons été piratés');
    await page.locator('main form button[type=submit]').click();
    await page.locator(':text("Sent Successfully"):visible').waitFor();
    const [stored] = await visit.site.store.messages.list({}, { limit: 1 });
    expect(stored).toMatchObject({ name: 'Zoë', message: 'Nous avons été piratés', state: 'new' });
  });

  test('keeps scroll position and focus', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await page.evaluate(() => scrollTo(0, 900));
    await hydrated(page);
    await page.waitForTimeout(100);
    expect(await page.evaluate(() => scrollY)).toBe(900);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  });

  test('keeps an open menu open', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 390, height: 800 });
    const release = await delayChunks(visit.page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    release();
    await hydrated(page);
    expect(await page.locator('#menu').isVisible()).toBe(true);
  });

  test('works when the HTML arrives after the scripts', async () => {
    const slow = await startSlowSite();
    visit.expectOtherOrigins();
    await visit.page.goto(`${slow.origin}/faq`, { waitUntil: 'commit' });
    await visit.page.locator('footer').waitFor();
    await wake(visit.page);
    slow.close();
  });

  test('works without https', async () => {
    // Browsers remove this without https; the loopback address of the tests counts as secure.
    await visit.page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
    await visit.go('/faq');
    await wake(visit.page);
  });

  test('works in a hidden page, which paints no frame', async () => {
    const { page } = visit;
    await page.addInitScript(() => {
      globalThis.requestAnimationFrame = () => 0;
    });
    await visit.go('/privacy');
    await point(page);
    await hydrated(page);
  });

  test.each(['js/main', 'js/shared', 'js/faq', 'css/site'])(
    'is retried with a delay when %s fails to load',
    async name => {
      const { page } = visit;
      visit.expectTrouble(/Failed to load resource/);
      let tries = 0;
      const address = new RegExp(`/static/${name}-`);
      await page.route(address, route => {
        tries += 1;
        return route.fulfill({ status: 503, body: '' });
      });
      await visit.go('/faq');
      const began = performance.now();
      for (let move = 0; move < 12; move += 1) await page.mouse.move(10 + move, 300 + move);
      await page.waitForTimeout(300);
      // Twelve interactions cause one attempt, or one more per second on a slow machine.
      expect(tries).toBeGreaterThan(0);
      expect(tries).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 1000));
      await page.unroute(address);
      const script = page.locator('html');
      await expect
        .poll(async () => {
          await point(page);
          return script.getAttribute('data-script');
        })
        .toBe('react');
    },
  );

  test('leaves native controls working while the network fails', async () => {
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
  });
});

describe('a control that needs React', () => {
  test('works exactly once when clicked before hydration', async () => {
    const { page } = visit;
    const release = await delayChunks(visit.page);
    await page.goto('/faq');
    await page.getByRole('button', { name: 'Open all answers' }).click();
    await page.waitForTimeout(200);
    expect(await page.locator('details[open]').count()).toBe(0);
    release();
    await expect
      .poll(() => page.locator('details[open]').count())
      .toBe(await page.locator('details').count());
    await page.waitForTimeout(200);
    expect(await page.locator('details[open]').count()).toBe(await page.locator('details').count());
  });

  test('works when clicked by a script', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 1280, height: 500 });
    await visit.go('/faq');
    await page.evaluate(() => document.querySelector<HTMLElement>('[data-replay]')?.click());
    await expect
      .poll(() => page.locator('details[open]').count())
      .toBe(await page.locator('details').count());
  });

  test('works exactly once when clicked at any moment of hydration', async () => {
    const { page } = visit;
    await visit.go('/faq');
    // Clicks in the task in which React has attached its listeners but not rendered yet.
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
    await expect
      .poll(() => page.locator('details[open]').count())
      .toBe(await page.locator('details').count());
    await page.waitForTimeout(200);
    expect(await page.locator('details[open]').count()).toBe(await page.locator('details').count());
  });
});

describe('a form filled in before hydration', () => {
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

  test('is complete when sent after hydration', async () => {
    const release = await delayChunks(visit.page);
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

  test('is complete and sent once while React is loading', async () => {
    await delayChunks(visit.page);
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

  test('is complete and sent once during hydration', async () => {
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

/** A proxy that sends each page in two parts with a pause between them. */
async function startSlowSite(): Promise<{ origin: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(visit.site.origin + request.url);
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'content-type': type });
    const cut = type.includes('html') ? body.indexOf('<main') : body.length;
    response.write(body.subarray(0, cut));
    setTimeout(() => response.end(body.subarray(cut)), cut < body.length ? 700 : 0);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

/** Wraps every text in elements, as page translators do. */
function translatePage(): void {
  const walker = document.createTreeWalker(document.getElementById('root') as Node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const translated = document.createElement('font');
    translated.textContent = `« ${text.data} »`;
    if (text.data.trim() && !text.parentElement?.closest('select, textarea')) text.replaceWith(translated);
  }
}
