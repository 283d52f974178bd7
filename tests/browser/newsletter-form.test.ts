import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { signUpPath } from '../../src/features/newsletter/contract.ts';
import { hydrate, visitSite } from '../harness/page.ts';

const visit = visitSite();
const address = 'zoe@example.com';
const field = () => visit.page.locator('#home-newsletter');
const form = () => visit.page.locator('form:has(#home-newsletter)');
const button = () => form().getByRole('button');
const status = () => form().locator('[aria-live]').last();

const accept = (route: Route) => route.fulfill({ json: { message: 'Check your inbox to confirm' } });
const fail = (route: Route) => route.abort('connectionrefused');

async function stubEndpoint(respond: (route: Route) => Promise<void>) {
  visit.allowErrors(/Failed to load resource/);
  const endpoint = { respond, bodies: [] as unknown[] };
  await visit.page.route(signUpPath, async route => {
    endpoint.bodies.push(route.request().postDataJSON());
    // A request that was cancelled meanwhile cannot be answered.
    await endpoint.respond(route).catch(() => undefined);
  });
  return endpoint;
}

async function open(path = '/'): Promise<void> {
  await visit.open(path);
  await hydrate(visit.page);
}

async function submit(): Promise<void> {
  await field().fill(address);
  await button().click();
}

async function expectSent(): Promise<void> {
  await form().getByText('Check your inbox to confirm').waitFor();
  expect(await field().inputValue()).toBe('');
}

async function expectOffline(): Promise<void> {
  await expect.poll(() => status().textContent()).toContain('the connection dropped');
  expect(await field().inputValue()).toBe(address);
}

test('any response but ours is a refusal that keeps the address and says what to do next', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource.*422/);
  await open();
  const error = page.locator('#home-newsletter-error');
  // Refused by the server, and by the browser.
  for (const wrong of ['zoe@nowhere', 'zoe']) {
    await field().fill(wrong);
    await button().click();
    await error.waitFor();
    expect(await field().getAttribute('aria-invalid')).toBe('true');
    expect(await field().getAttribute('aria-describedby')).toBe('home-newsletter-error');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('home-newsletter');
    expect(await field().inputValue()).toBe(wrong);
    // Announced, because the focus does not move when it was submitted with Enter.
    expect(await error.evaluate(element => element.closest('[aria-live]') !== null)).toBe(true);
    await submit();
    await expectSent();
    expect(await error.count()).toBe(0);
    expect(await field().getAttribute('aria-invalid')).toBeNull();
  }
  const endpoint = await stubEndpoint(accept);
  for (const [status, headers, words] of [
    [429, { 'retry-after': '100' }, 'try again in 2 minutes'],
    [201, {}, 'try again in a minute'],
  ] as const) {
    endpoint.respond = route => route.fulfill({ status, headers, json: {} });
    await submit();
    await form().getByText('couldn’t add your address').waitFor();
    await form().getByText(words).waitFor();
    expect(await field().inputValue()).toBe(address);
    expect(await page.getByText('Check your inbox to confirm').count()).toBe(0);
    await field().fill('');
  }
  endpoint.respond = route => route.fulfill({ body: '<h1>Log in to this network</h1>' });
  await submit();
  await expectOffline();
});

test('an address without a response stays, and is retried until it is edited', async () => {
  const { page } = visit;
  await page.clock.install();
  const endpoint = await stubEndpoint(fail);
  await open();
  await submit();
  await expectOffline();
  await page.clock.fastForward(5_000);
  await expect.poll(() => endpoint.bodies.length).toBe(2);
  await expectOffline();
  endpoint.respond = accept;
  await page.clock.fastForward(10_000);
  await expectSent();
  const wording = await form().locator('[name=wording]').inputValue();
  const body = { email: address, form: 'home', wording };
  expect(endpoint.bodies).toEqual([body, body, body]);

  endpoint.respond = fail;
  await submit();
  await expectOffline();
  await field().pressSequentially('.uk');
  await expect.poll(() => status().textContent()).toContain('until you press the button');
  endpoint.respond = accept;
  await page.clock.runFor(120_000);
  // Until an attempt that must not be made would have been seen.
  await page.evaluate(() => fetch('/robots.txt'));
  expect(endpoint.bodies).toHaveLength(4);
  await button().click();
  await expectSent();
  expect(endpoint.bodies[4]).toMatchObject({ email: `${address}.uk` });
});

test("a double click submits a step's button once, and it works again later", async () => {
  const { page } = visit;
  let presses = 0;
  await page.route(/\/newsletter\/confirm\?/, async route => {
    if (route.request().method() !== 'POST') return route.continue();
    presses += 1;
    await route.fulfill({ status: 204 });
  });
  await open('/newsletter/confirm?token=abc');
  const press = page.locator('main form button');
  await press.dblclick({ delay: 150, noWaitAfter: true });
  await expect.poll(() => presses).toBe(1);
  await expect
    .poll(async () => {
      await press.click({ noWaitAfter: true });
      return presses;
    })
    .toBe(2);
});
