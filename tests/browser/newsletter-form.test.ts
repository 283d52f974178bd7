import { expect, test } from 'vitest';
import { signUpPath } from '../../src/api/contract.ts';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const address = 'zoe@example.com';

type FormId = 'home' | 'footer' | 'again';
const field = (id: FormId) => visit.page.locator(`#${id}-newsletter`);
const form = (id: FormId) => visit.page.locator(`form:has(#${id}-newsletter)`);
const button = (id: FormId) => form(id).getByRole('button');
const status = (id: FormId) => form(id).locator('[aria-live]').last();

type StubResponse = { status: number; json?: unknown; headers?: Record<string, string>; body?: string };
const good: StubResponse = { status: 200, json: { message: 'Check your inbox to confirm' } };

/** A stub of the endpoint: `none` is a connection that fails. */
async function stubEndpoint(response: StubResponse | 'none') {
  visit.allowErrors(/Failed to load resource/);
  const endpoint = { response, bodies: [] as unknown[] };
  await visit.page.route(signUpPath, async route => {
    endpoint.bodies.push(route.request().postDataJSON());
    if (endpoint.response === 'none') return route.abort('connectionrefused');
    const { response } = endpoint;
    // A request that was cancelled meanwhile cannot be answered.
    await route.fulfill(response.body ? response : { json: {}, ...response }).catch(() => undefined);
  });
  return endpoint;
}

async function open(path = '/'): Promise<void> {
  await visit.open(path);
  await hydrate(visit.page);
}

async function submit(id: FormId): Promise<void> {
  await field(id).fill(address);
  await button(id).click();
}

async function expectSent(id: FormId): Promise<void> {
  await form(id).getByText('Check your inbox to confirm').waitFor();
  expect(await field(id).inputValue()).toBe('');
}

async function expectOffline(id: FormId): Promise<void> {
  await expect.poll(() => status(id).textContent()).toContain('the connection dropped');
  expect(await field(id).inputValue()).toBe(address);
}

/** Advances the clock, and waits until an attempt that must not be made would have been seen. */
async function advanceClock(ms: number): Promise<void> {
  await visit.page.clock.runFor(ms);
  await visit.page.evaluate(() => fetch('/robots.txt'));
}

test('each form is received by the server, and stays on its page', async () => {
  for (const [path, id, name] of [
    ['/', 'home', 'home'],
    ['/faq', 'footer', 'footer'],
    ['/newsletter/expired', 'again', 'newsletter'],
  ] as const) {
    await open(path);
    const sent = visit.page.waitForRequest(request => request.url().endsWith(signUpPath));
    await submit(id);
    await expectSent(id);
    expect(new URL(visit.page.url()).pathname).toBe(path);
    const consentText = await form(id).locator('[name=wording]').inputValue();
    expect((await sent).postDataJSON()).toEqual({ email: address, form: name, wording: consentText });
  }
});

test('an address that is none, that mail cannot reach or that is too long shows its error and gets the focus', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource.*422/);
  await open();
  const error = page.locator('#home-newsletter-error');
  const domain = ['b', 'c', 'd'].map(letter => letter.repeat(60)).join('.');
  for (const wrong of [`${'a'.repeat(64)}@${domain}.example`, 'zoe@nowhere', 'zoe']) {
    await field('home').fill(wrong);
    await button('home').click();
    await error.waitFor();
    expect(await field('home').getAttribute('aria-invalid')).toBe('true');
    expect(await field('home').getAttribute('aria-describedby')).toBe('home-newsletter-error');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('home-newsletter');
    expect(await field('home').inputValue()).toBe(wrong);
    // Announced, because the focus does not move when it was submitted with Enter.
    expect(await error.evaluate(element => element.closest('[aria-live]') !== null)).toBe(true);
    await submit('home');
    await expectSent('home');
    expect(await error.count()).toBe(0);
    expect(await field('home').getAttribute('aria-invalid')).toBeNull();
  }
});

test('any response but ours is a refusal that keeps the address and says what to do next', async () => {
  const endpoint = await stubEndpoint(good);
  await open();
  for (const [code, headers, words] of [
    [429, { 'retry-after': '100' }, 'try again in 2 minutes'],
    [503, {}, 'try again in a minute'],
    [201, {}, 'try again in a minute'],
    [303, { location: '/newsletter/asked' }, 'try again in a minute'],
  ] as const) {
    endpoint.response = { status: code, headers };
    await submit('home');
    await form('home').getByText('couldn’t add your address').waitFor();
    await expect.poll(() => status('home').textContent()).toContain(words);
    expect(await field('home').inputValue()).toBe(address);
    expect(await visit.page.getByText('Check your inbox to confirm').count()).toBe(0);
    await field('home').fill('');
  }
  const portal = { body: '<h1>Log in to this network</h1>', headers: { 'content-type': 'text/html' } };
  endpoint.response = { status: 200, ...portal };
  await submit('home');
  await expectOffline('home');
});

test('an address without a response stays, and is retried until it is edited', async () => {
  const { page } = visit;
  await page.clock.install();
  const endpoint = await stubEndpoint('none');
  await open();
  await submit('home');
  await expectOffline('home');
  await page.clock.fastForward(5_000);
  await expect.poll(() => endpoint.bodies.length).toBe(2);
  await expectOffline('home');
  endpoint.response = good;
  await page.clock.fastForward(10_000);
  await expectSent('home');
  expect(new Set(endpoint.bodies.map(body => JSON.stringify(body))).size).toBe(1);

  // Another submit sends it once.
  endpoint.response = 'none';
  await submit('footer');
  await expectOffline('footer');
  endpoint.response = good;
  await button('footer').click();
  await expectSent('footer');
  endpoint.bodies.length = 0;
  await advanceClock(120_000);
  expect(endpoint.bodies).toHaveLength(0);

  endpoint.response = 'none';
  await submit('home');
  await expectOffline('home');
  await field('home').pressSequentially('.uk');
  await expect.poll(() => status('home').textContent()).toContain('until you press the button');
  endpoint.response = good;
  await advanceClock(120_000);
  expect(endpoint.bodies).toHaveLength(1);
  await button('home').click();
  await expectSent('home');
  expect(endpoint.bodies[1]).toMatchObject({ email: `${address}.uk` });
});

test("a double click submits a step's button once, and it works again later", async () => {
  const { page } = visit;
  const presses: string[] = [];
  await page.route(/\/newsletter\/confirm\?/, async route => {
    if (route.request().method() !== 'POST') return route.continue();
    presses.push(route.request().url());
    await route.fulfill({ status: 204 });
  });
  await open('/newsletter/confirm?token=abc');
  const press = page.locator('main form button');
  await press.dblclick({ delay: 150, noWaitAfter: true });
  await expect.poll(() => presses.length).toBe(1);
  await expect
    .poll(async () => {
      await press.click({ noWaitAfter: true });
      return presses.length;
    })
    .toBe(2);
  expect(presses.every(url => url.endsWith('/newsletter/confirm?token=abc'))).toBe(true);
});
