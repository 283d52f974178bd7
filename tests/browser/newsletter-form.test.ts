import { describe, expect, test } from 'vitest';
import { newsletterPath } from '../../src/api/contract.ts';
import { delayChunks, visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const address = 'zoe@example.com';

type Box = 'home' | 'footer' | 'again';
const field = (box: Box) => visit.page.locator(`#${box}-newsletter`);
const form = (box: Box) => visit.page.locator(`form:has(#${box}-newsletter)`);
const button = (box: Box) => form(box).getByRole('button');
const status = (box: Box) => form(box).locator('[aria-live]').last();
const posts = () => visit.requests.filter(path => path === newsletterPath);

type StubResponse = { status: number; json?: unknown; headers?: Record<string, string>; body?: string };

/** A stub of the endpoint behind a connection that can fail; 'cut' gives no response. */
async function stubEndpoint(answer: StubResponse | 'cut') {
  visit.expectTrouble(/Failed to load resource/);
  const endpoint = { answer, bodies: [] as unknown[] };
  await visit.page.route(newsletterPath, route => {
    endpoint.bodies.push(route.request().postDataJSON());
    if (endpoint.answer === 'cut') return route.abort('connectionrefused');
    return route.fulfill(endpoint.answer.body ? endpoint.answer : { json: {}, ...endpoint.answer });
  });
  return endpoint;
}

/** Holds the endpoint's responses until released. */
async function holdEndpoint(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await visit.page.route(newsletterPath, async route => {
    await promise;
    await route.fulfill({ json: {}, ...good }).catch(() => undefined);
  });
  return resolve;
}

const good: StubResponse = { status: 200, json: { message: 'Check your inbox to confirm' } };

async function open(path = '/'): Promise<void> {
  await visit.go(path);
  await wake(visit.page);
}

async function submit(box: Box): Promise<void> {
  await field(box).fill(address);
  await button(box).click();
}

async function expectSent(box: Box): Promise<void> {
  await form(box).getByText('Check your inbox to confirm').waitFor();
  expect(await field(box).inputValue()).toBe('');
}

async function expectOffline(box: Box): Promise<void> {
  await expect.poll(() => status(box).textContent()).toContain('has not been sent');
  expect(await field(box).inputValue()).toBe(address);
}

test.each([
  ['/', 'home', 'home'],
  ['/faq', 'footer', 'footer'],
  ['/newsletter/expired', 'again', 'newsletter'],
] as const)('on %s the %s box is received by the server, and stays on its page', async (path, box, name) => {
  await open(path);
  const sent = visit.page.waitForRequest(request => request.url().endsWith(newsletterPath));
  await submit(box);
  await expectSent(box);
  expect(new URL(visit.page.url()).pathname).toBe(path);
  const consentText = await form(box).locator('[name=wording]').inputValue();
  expect((await sent).postDataJSON()).toEqual({ email: address, form: name, wording: consentText });
  expect(await visit.page.getByText('Sent Successfully').count()).toBe(0);
});

test('the two forms of the home page are independent', async () => {
  const endpoint = await stubEndpoint(good);
  await open();
  await field('footer').fill('other@example.com');
  await submit('home');
  await expectSent('home');
  expect(await status('footer').textContent()).toBe('');
  expect(await field('footer').inputValue()).toBe('other@example.com');
  endpoint.answer = { status: 503 };
  await button('footer').click();
  await form('footer').getByText('was not taken').waitFor();
  expect(await form('home').getByText('Check your inbox to confirm').count()).toBe(1);
  expect(endpoint.bodies).toMatchObject([
    { email: address, form: 'home' },
    { email: 'other@example.com', form: 'footer' },
  ]);
});

describe('a refused address', () => {
  test('that mail cannot reach shows its error and gets the focus', async () => {
    visit.expectTrouble(/Failed to load resource.*422/);
    await open();
    await field('home').fill('zoe@nowhere');
    await button('home').click();
    const error = visit.page.locator('#home-newsletter-error');
    await error.waitFor();
    expect(await field('home').getAttribute('aria-invalid')).toBe('true');
    expect(await field('home').getAttribute('aria-describedby')).toBe('home-newsletter-error');
    await expect.poll(() => visit.page.evaluate(() => document.activeElement?.id)).toBe('home-newsletter');
    expect(await field('home').inputValue()).toBe('zoe@nowhere');
    await submit('home');
    await expectSent('home');
    expect(await error.count()).toBe(0);
    expect(await field('home').getAttribute('aria-invalid')).toBeNull();
  });

  test('is announced when submitted with Enter, where the focus does not move', async () => {
    visit.expectTrouble(/Failed to load resource.*422/);
    await open();
    await field('home').fill('zoe@nowhere');
    await field('home').press('Enter');
    const error = visit.page.locator('#home-newsletter-error');
    await error.waitFor();
    expect(await error.evaluate(element => element.closest('[aria-live]') !== null)).toBe(true);
  });

  test("a captive portal's response is not taken for success", async () => {
    await stubEndpoint({
      status: 200,
      body: '<h1>Log in to this network</h1>',
      headers: { 'content-type': 'text/html' },
    });
    await open();
    await submit('home');
    await expectOffline('home');
  });

  test('with an error status stays in the field, with what to do next', async () => {
    const endpoint = await stubEndpoint(good);
    await open();
    for (const [code, headers, words] of [
      [429, { 'retry-after': '100' }, 'try again in 2 minutes'],
      [503, {}, 'try again in a minute'],
      [500, {}, 'try again in a minute'],
      [201, {}, 'try again in a minute'],
      [303, { location: '/newsletter/asked' }, 'try again in a minute'],
    ] as const) {
      endpoint.answer = { status: code, headers };
      await submit('home');
      await form('home').getByText('was not taken').waitFor();
      await expect.poll(() => status('home').textContent()).toContain(words);
      expect(await field('home').inputValue()).toBe(address);
      expect(await visit.page.getByText('Check your inbox to confirm').count()).toBe(0);
      await field('home').fill('');
    }
  });
});

describe('an address without a response', () => {
  test('stays, and is sent when the browser is online again', async () => {
    visit.expectTrouble(/Failed to load resource/);
    const { page } = visit;
    await page.clock.install();
    await open();
    await page.context().setOffline(true);
    await submit('home');
    await expectOffline('home');
    // After these two the backoff is longer than this test.
    for (const [count, ms] of [5_000, 10_000].entries()) {
      await page.clock.fastForward(ms);
      await expect.poll(() => posts().length).toBe(count + 2);
      await page.waitForTimeout(100);
    }
    await page.context().setOffline(false);
    await expectSent('home');
  });

  test('is retried when the browser did not notice that it was offline', async () => {
    await visit.page.clock.install();
    const endpoint = await stubEndpoint('cut');
    await open();
    await submit('footer');
    await expectOffline('footer');
    await visit.page.clock.fastForward(5_000);
    await expect.poll(() => endpoint.bodies.length).toBe(2);
    await expectOffline('footer');
    endpoint.answer = good;
    await visit.page.clock.fastForward(10_000);
    await expectSent('footer');
    expect(new Set(endpoint.bodies.map(body => JSON.stringify(body))).size).toBe(1);
  });

  test('is sent by another submit', async () => {
    await visit.page.clock.install();
    const endpoint = await stubEndpoint('cut');
    await open();
    await submit('home');
    await expectOffline('home');
    endpoint.answer = good;
    await button('home').click();
    await expectSent('home');
    await visit.page.clock.fastForward(120_000);
    await visit.page.waitForTimeout(150);
    expect(endpoint.bodies).toHaveLength(2);
  });

  test('is not retried after an edit', async () => {
    await visit.page.clock.install();
    const endpoint = await stubEndpoint('cut');
    await open();
    await submit('home');
    await expectOffline('home');
    await field('home').pressSequentially('.uk');
    await expect.poll(() => status('home').textContent()).toContain('until you press the button');
    endpoint.answer = good;
    await visit.page.clock.fastForward(120_000);
    await visit.page.waitForTimeout(150);
    expect(endpoint.bodies).toHaveLength(1);
    await button('home').click();
    await expectSent('home');
    expect(endpoint.bodies[1]).toMatchObject({ email: `${address}.uk` });
  });
});

describe('a late response', () => {
  test('does not move a visitor who has navigated on', async () => {
    const release = await holdEndpoint();
    await open();
    await submit('footer');
    await visit.page.locator('header a[href="/creator"]').first().click();
    await visit.page.waitForURL('/creator');
    await expect.poll(() => visit.page.evaluate(() => scrollY)).toBe(0);
    release();
    await expectSent('footer');
    await visit.page.waitForTimeout(100);
    expect(await visit.page.evaluate(() => scrollY)).toBe(0);
  });

  test('does not apply to an address that was edited meanwhile', async () => {
    const release = await holdEndpoint();
    await open();
    await field('home').fill('zoe@exmaple.com');
    await button('home').click();
    await expect.poll(() => status('home').textContent()).toContain('Sending');
    await field('home').fill(address);
    release();
    await expect.poll(() => status('home').textContent()).toContain('until you press the button');
    const again = visit.page.waitForRequest(newsletterPath);
    await button('home').click();
    expect((await again).postDataJSON()).toMatchObject({ email: address });
    await expectSent('home');
  });
});

test('a failed connection is shown in the viewport', async () => {
  await stubEndpoint('cut');
  await visit.page.setViewportSize({ width: 390, height: 740 });
  await open();
  await field('home').fill(address);
  await button('home').evaluate(element => {
    scrollBy({ top: element.getBoundingClientRect().bottom - innerHeight + 12, behavior: 'instant' });
  });
  // By keyboard, because Playwright's click scrolls first.
  await visit.page.keyboard.press('Enter');
  await expectOffline('home');
  await expect
    .poll(() => status('home').evaluate(element => element.getBoundingClientRect().bottom <= innerHeight))
    .toBe(true);
});

test('an address that is too long is refused, not truncated', async () => {
  visit.expectTrouble(/Failed to load resource.*422/);
  await open();
  const domain = ['b', 'c', 'd'].map(letter => letter.repeat(60)).join('.');
  await field('home').focus();
  await visit.page.keyboard.insertText(`${'a'.repeat(64)}@${domain}.example`);
  await button('home').click();
  await visit.page.locator('#home-newsletter-error').waitFor();
});

test.each([0, 150])('a double click with %i ms between the clicks submits once', async delay => {
  await stubEndpoint(good);
  await open();
  await field('home').fill(address);
  // With space below for the notice, so that the page does not scroll under the pointer.
  await button('home').evaluate(element => element.scrollIntoView({ block: 'center' }));
  await button('home').dblclick({ delay });
  await expectSent('home');
  await visit.page.waitForTimeout(200);
  expect(posts()).toHaveLength(1);
  // The empty field is not reported as invalid.
  expect(await button('home').evaluate(element => element === document.activeElement)).toBe(true);
});

test('a form that is sent before hydration gets a page in response', async () => {
  const release = await delayChunks(visit.page);
  await visit.go('/');
  await field('home').fill(address);
  await button('home').click();
  await visit.page.waitForURL('/newsletter/asked');
  release();
});

test("a double click submits a step's button once, and it works again on return", async () => {
  const { page } = visit;
  const presses: string[] = [];
  await page.route(/\/newsletter\/confirm\?/, async route => {
    if (route.request().method() !== 'POST') return route.continue();
    presses.push(route.request().url());
    await new Promise(resolve => setTimeout(resolve, 1200));
    await route.fulfill({ status: 204 });
  });
  await open('/newsletter/confirm?token=abc');
  const press = page.locator('main form button');
  await press.dblclick({ delay: 150, noWaitAfter: true });
  await expect.poll(() => presses.length).toBe(1);
  await page.waitForTimeout(1500);
  expect(presses).toHaveLength(1);
  await press.click({ noWaitAfter: true });
  await expect.poll(() => presses.length).toBe(2);
  expect(presses.every(url => url.endsWith('/newsletter/confirm?token=abc'))).toBe(true);
});
