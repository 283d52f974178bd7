import { expect, test } from 'vitest';
import { findAxeViolations } from '../harness/axe.ts';
import { delayChunks, hydrate, visitSite, waitForHydration } from '../harness/page.ts';

const visit = visitSite();
const text = 'Hello\nthere';
const status = () => visit.page.locator('form [aria-live]:not(label ~ *)').first();
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const storedMessage = () => visit.page.evaluate(() => sessionStorage.getItem('unsent-message:contact'));
const focusedText = () => visit.page.evaluate(() => document.activeElement?.textContent);
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

type Connection = 'good' | 'refused' | 'hanging';

/** A stub of the endpoint behind a connection that can fail. */
async function stubEndpoint(connection: Connection) {
  visit.allowErrors(/Failed to load resource/);
  const endpoint = { connection, attempts: [] as { key: string; body: unknown }[] };
  await visit.page.route('/api/contact', route => {
    const key = route.request().headers()['idempotency-key'] ?? '';
    endpoint.attempts.push({ key, body: route.request().postDataJSON() });
    if (endpoint.connection === 'hanging') return;
    if (endpoint.connection === 'refused') return route.abort('connectionrefused');
    return route.fulfill({ json: { reference: 'AAAAA-AAAAA' } });
  });
  return endpoint;
}

type Endpoint = Awaited<ReturnType<typeof stubEndpoint>>;

async function open(path = '/contact'): Promise<void> {
  await visit.page.clock.install();
  await visit.open(path);
  await hydrate(visit.page);
}

/** Sends a message that does not arrive. */
async function failToSend(endpoint: Endpoint, connection: Connection = 'refused'): Promise<void> {
  endpoint.connection = connection;
  endpoint.attempts.length = 0;
  await field('Message').fill(text);
  await button('Send').click();
  if (connection !== 'hanging') await expectUnsent();
}

async function openUnsent(): Promise<Endpoint> {
  const endpoint = await stubEndpoint('refused');
  await open();
  await failToSend(endpoint);
  return endpoint;
}

async function expectUnsent(): Promise<void> {
  await expect.poll(() => status().textContent()).toContain('the connection dropped');
  await expect.poll(() => button('Send').getAttribute('aria-disabled')).toBeNull();
  await button('Do not send').waitFor();
}

async function expectSent(): Promise<void> {
  await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
  expect(await field('Message').inputValue()).toBe('');
  expect(await storedMessage()).toBeNull();
}

/** Advances the clock, and waits until an attempt that must not be made would have been seen. */
async function advanceClock(ms: number): Promise<void> {
  await visit.page.clock.fastForward(ms);
  await visit.page.clock.runFor(300);
  await visit.page.evaluate(() => fetch('/robots.txt'));
}

// The steps share a page, because loading it would be a third of their time.
test('an unsent message is kept, retried, not retried against the visitor’s will, and resumed on return', async () => {
  const endpoint = await openUnsent();
  await expectKeptAndSentWithOneKey(endpoint);
  await expectRetries(endpoint);
  await expectNoRetryOnceStopped(endpoint);
  await expectResumedOnReturn(endpoint);
}, 60_000);

/** It stays in the form and in storage, and Send reuses its idempotency key. */
async function expectKeptAndSentWithOneKey(endpoint: Endpoint): Promise<void> {
  const { page } = visit;
  const notices = page.locator(':is(:text("Sent Successfully"), :text("Error Occured")):visible');
  expect(await notices.count()).toBe(0);
  expect(await findAxeViolations(page, { selector: 'main' })).toEqual([]);
  expect(await field('Message').inputValue()).toBe(text);
  expect(await storedMessage()).toContain('Hello');
  endpoint.connection = 'good';
  await button('Send').click();
  await expectSent();
  expect(endpoint.attempts[0]?.key).toMatch(uuid);
  expect(endpoint.attempts[0]?.body).toEqual({ name: '', email: '', message: text });
  expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);

  // Another message has another key, and what is typed while it is being sent is kept.
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('/api/contact', async route => {
    await promise;
    await route.fallback();
  });
  await field('Message').fill(text);
  await button('Send').click();
  await field('Message').fill('Something else');
  resolve();
  await notices.waitFor();
  expect(endpoint.attempts[2]?.key).not.toBe(endpoint.attempts[0]?.key);
  expect(await field('Message').inputValue()).toBe('Something else');
}

/** With backoff, when the browser is online or the page visible again, and after a timeout. */
async function expectRetries(endpoint: Endpoint): Promise<void> {
  const { page } = visit;
  await failToSend(endpoint);
  // The clock runs by itself as well, and a busy machine may take seconds for a step.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100));
  for (const [index, seconds] of [5, 10, 20, 40, 60].entries()) {
    await advanceClock((seconds - 3) * 1000);
    expect(endpoint.attempts).toHaveLength(index + 1);
    await page.clock.fastForward(3_000);
    await page.clock.runFor(100);
    await expect.poll(() => endpoint.attempts.length).toBe(index + 2);
    await page.clock.runFor(100);
  }
  await page.clock.resume();
  await button('Do not send').focus();
  endpoint.connection = 'good';
  await page.clock.fastForward(60_000);
  await expectSent();
  expect(new Set(endpoint.attempts.map(({ key }) => key)).size).toBe(1);
  expect(await focusedText()).toBe('Send');

  await page.context().setOffline(true);
  await failToSend(endpoint);
  endpoint.connection = 'good';
  await page.context().setOffline(false);
  await expectSent();

  const setHidden = (isHidden: boolean) =>
    page.evaluate(value => {
      Object.defineProperty(document, 'hidden', { configurable: true, value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await failToSend(endpoint);
  await setHidden(true);
  await advanceClock(60_000);
  expect(endpoint.attempts).toHaveLength(1);
  endpoint.connection = 'good';
  await setHidden(false);
  await expectSent();

  await failToSend(endpoint, 'hanging');
  await advanceClock(29_000);
  expect(await status().textContent()).toContain('Sending');
  await page.clock.fastForward(1_000);
  await expectUnsent();
  endpoint.connection = 'good';
  await page.clock.fastForward(5_000);
  await expectSent();
  expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
}

async function expectNoRetryOnceStopped(endpoint: Endpoint): Promise<void> {
  const { page } = visit;
  const stops: Record<string, () => Promise<unknown>> = {
    'We won’t send': () => button('Do not send').press('Enter'),
    'hasn’t been sent': () => field('Name').press('Z'),
    '24 hours': () => page.clock.fastForward(24 * 60 * 60 * 1000),
    'Error Occured': async () => {
      await page.route('/api/contact', route => route.fulfill({ status: 503, json: {} }), { times: 1 });
      await page.clock.fastForward(5_000);
    },
  };
  for (const [words, stop] of Object.entries(stops)) {
    await failToSend(endpoint);
    await stop();
    await page.locator(`main :text("${words}"):visible`).first().waitFor();
    expect(await storedMessage()).toBeNull();
    endpoint.connection = 'good';
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await advanceClock(60_000);
    expect(endpoint.attempts).toHaveLength(1);
    expect(await field('Message').inputValue()).toBe(text);
    await button('Send').click();
    await expectSent();
    // An edited message is another one.
    const [first, second] = endpoint.attempts;
    expect(second?.key === first?.key, words).toBe(words !== 'hasn’t been sent');
  }
}

/** It was being sent when its page was left. */
async function expectResumedOnReturn(endpoint: Endpoint): Promise<void> {
  const { page } = visit;
  await failToSend(endpoint, 'hanging');
  await expect.poll(() => endpoint.attempts.length).toBe(1);
  await page.locator('header').getByRole('link', { name: 'services' }).click();
  // The URL changes before the page: a form that is still mounted would show the response itself.
  await page.locator('form[name=contact]').waitFor({ state: 'detached' });
  endpoint.connection = 'good';
  await page.locator('header').getByRole('link', { name: 'Contact' }).first().click();
  await expectSent();
  expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
}

test('a page that is loaded again restores and sends the message without interaction', async () => {
  const { page } = visit;
  const endpoint = await openUnsent();
  await page.reload();
  await expectUnsent();
  expect(await field('Message').inputValue()).toBe(text);
  await expect.poll(() => endpoint.attempts.length).toBe(2);

  // It does not overwrite what was typed before hydration.
  await page.route(/\/static\/js\/main/, async route => {
    await field('Name').fill('Zoë');
    await route.continue();
  });
  await page.reload();
  await waitForHydration(page);
  await expect.poll(() => status().textContent()).toContain('hasn’t been sent');
  expect(await field('Name').inputValue()).toBe('Zoë');
  expect(await field('Message').inputValue()).toBe(text);
  expect(await storedMessage()).toBeNull();
  expect(endpoint.attempts).toHaveLength(2);
});

// contact.test.ts has the message that was edited since.
test('a message whose response was lost and that is then posted natively is stored once', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource/);
  await open();
  let attempts = 0;
  await page.route('/api/contact', async route => {
    attempts += 1;
    if (attempts > 1) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await field('Message').fill(text);
  await button('Send').click();
  await expectUnsent();
  const release = await delayChunks(page);
  await page.reload();
  await field('Message').fill(text);
  await button('Send').click();
  await page.waitForURL('/contact?waiting#sent');
  release();
  await expect.poll(storedMessage).toBeNull();
  await page.waitForURL('/contact#sent');
  expect(await page.locator('#sent').isVisible()).toBe(true);
  await waitForHydration(page);
  await advanceClock(120_000);
  expect(attempts).toBe(2);
  expect(await visit.site.store.messages.list({}, { limit: 10 })).toMatchObject([{ message: text }]);
});

test('a message is sent without storage and without https', async () => {
  const { page } = visit;
  await page.addInitScript(() => {
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  const endpoint = await stubEndpoint('refused');
  visit.allowErrors(/Failed to save scroll positions/);
  await open('/creator');
  await failToSend(endpoint);
  endpoint.connection = 'good';
  await page.clock.fastForward(5_000);
  await page.getByText('AAAAA-AAAAA').waitFor();
  expect(endpoint.attempts[0]?.key).toMatch(uuid);
  expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
});
