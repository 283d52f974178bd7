import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { delayChunks, hydrated, visitSite, wake } from '../harness/page.ts';

const visit = visitSite();
const status = () => visit.page.locator('form [aria-live]').first();
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const storedMessage = () => visit.page.evaluate(() => sessionStorage.getItem('unsent-message:contact'));
const notices = () => visit.page.locator(':is(:text("Sent Successfully"), :text("Error Occured")):visible');
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const dayMs = 24 * 60 * 60 * 1000;

type Endpoint = {
  /** 'cut' fails before a message arrives, 'mute' after it was stored, and 'stuck' does not fail at all. */
  line: 'whole' | 'cut' | 'mute' | 'stuck';
  attempts: { key: string; body: unknown }[];
  /** One message per idempotency key. */
  stored: Map<string, unknown>;
};

/** A stub of the endpoint behind a connection that can fail. */
async function stubEndpoint(line: Endpoint['line']): Promise<Endpoint> {
  visit.expectTrouble(/Failed to load resource/);
  const endpoint: Endpoint = { line, attempts: [], stored: new Map() };
  await visit.page.route('/api/contact', route => {
    const key = route.request().headers()['idempotency-key'] ?? '';
    const body = route.request().postDataJSON();
    endpoint.attempts.push({ key, body });
    if (endpoint.line === 'stuck') return;
    if (endpoint.line === 'cut') return route.abort('connectionrefused');
    if (!endpoint.stored.has(key)) endpoint.stored.set(key, body);
    if (endpoint.line === 'mute') return route.abort('connectionreset');
    return route.fulfill({ json: { reference: `REF-${[...endpoint.stored.keys()].indexOf(key)}` } });
  });
  return endpoint;
}

async function open(path = '/contact'): Promise<void> {
  await visit.page.clock.install();
  await visit.go(path);
  await wake(visit.page);
  await field('Message').fill('Hello\nthere');
}

/** Opens the page with a message that was submitted and not sent. */
async function openUnsent(line: 'cut' | 'mute' = 'cut'): Promise<Endpoint> {
  const endpoint = await stubEndpoint(line);
  await open();
  await button('Send').click();
  await expectUnsent();
  return endpoint;
}

async function expectUnsent(): Promise<void> {
  await expect.poll(() => status().textContent()).toContain('has not left');
  await expect.poll(() => button('Send').getAttribute('aria-disabled')).toBeNull();
  await button('Do not send').waitFor();
}

async function expectSent(): Promise<void> {
  await visit.page.locator(':text("Sent Successfully"):visible').waitFor();
  expect(await field('Message').inputValue()).toBe('');
  expect(await storedMessage()).toBeNull();
}

/** Advances the clock long enough to see an attempt that must not be made. */
async function advanceClock(ms: number): Promise<void> {
  await visit.page.clock.fastForward(ms);
  await visit.page.waitForTimeout(150);
}

describe('an unsent message', () => {
  test('stays in the form and in storage, and Send reuses its idempotency key', async () => {
    const { page } = visit;
    const endpoint = await openUnsent();
    expect(await notices().count()).toBe(0);
    expect(await field('Message').inputValue()).toBe('Hello\nthere');
    await button('Send').click();
    await expect.poll(() => endpoint.attempts.length).toBe(2);
    await expectUnsent();
    endpoint.line = 'whole';
    await button('Send').click();
    await expectSent();
    expect(endpoint.attempts[0]?.key).toMatch(uuid);
    expect(new Set(endpoint.attempts.map(({ key }) => key)).size).toBe(1);
    expect(endpoint.attempts[0]?.body).toEqual({ name: '', email: '', message: 'Hello\nthere' });
    expect(await page.getByText('REF-0').isVisible()).toBe(true);

    await field('Message').fill('Hello\nthere');
    await button('Send').click();
    await page.getByText('REF-1').waitFor();
    expect(endpoint.stored.size).toBe(2);
  });

  test('is stored once when only the response was lost', async () => {
    const endpoint = await openUnsent('mute');
    expect(endpoint.stored.size).toBe(1);
    endpoint.line = 'whole';
    await visit.page.clock.fastForward(5_000);
    await expectSent();
    expect(endpoint.attempts).toHaveLength(2);
    expect(endpoint.stored.size).toBe(1);
  });

  test('is sent when the connection is back', async () => {
    const { page } = visit;
    visit.expectTrouble(/Failed to load resource/);
    const keys: (string | undefined)[] = [];
    page.on('request', request => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    await open();
    await page.context().setOffline(true);
    await button('Send').click();
    await expectUnsent();
    // After these two the backoff is longer than this test.
    for (const seconds of [5, 10]) await advanceClock(seconds * 1000);
    await page.context().setOffline(false);
    await expectSent();
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
  });

  test('is retried with backoff when the server is away', async () => {
    const endpoint = await openUnsent();
    for (const [index, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
      await advanceClock((seconds - 3) * 1000);
      expect(endpoint.attempts).toHaveLength(index + 1);
      await visit.page.clock.fastForward(3_000);
      await expect.poll(() => endpoint.attempts.length).toBe(index + 2);
      await visit.page.waitForTimeout(100);
    }
    await button('Do not send').focus();
    endpoint.line = 'whole';
    await visit.page.clock.fastForward(60_000);
    await expectSent();
    expect(new Set(endpoint.attempts.map(({ key }) => key)).size).toBe(1);
    expect(await focusedText()).toBe('Send');
  });

  test('is not retried while the page is hidden, and at once when it is visible', async () => {
    const endpoint = await openUnsent();
    await setHidden(true);
    await advanceClock(60_000);
    expect(endpoint.attempts).toHaveLength(1);
    endpoint.line = 'whole';
    await setHidden(false);
    await expectSent();
  });

  test('is reported after a response timeout of 30 s', async () => {
    const endpoint = await stubEndpoint('stuck');
    await open();
    await button('Send').click();
    await advanceClock(29_000);
    expect(await status().textContent()).toContain('Sending');
    await visit.page.clock.fastForward(1_000);
    await expectUnsent();
    endpoint.line = 'whole';
    await visit.page.clock.fastForward(5_000);
    await expectSent();
    expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
  });

  test('is not retried after Do not send, stays in the form, and can be sent again', async () => {
    const endpoint = await openUnsent();
    await button('Do not send').press('Enter');
    await expect.poll(() => status().textContent()).toContain('will not be sent');
    expect(await focusedText()).toBe('Send');
    expect(await storedMessage()).toBeNull();
    endpoint.line = 'whole';
    await visit.page.evaluate(() => dispatchEvent(new Event('online')));
    await advanceClock(60_000);
    expect(endpoint.attempts).toHaveLength(1);
    expect(await field('Message').inputValue()).toBe('Hello\nthere');
    await button('Send').click();
    await expectSent();
    expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
  });

  test('is not retried after an edit, which makes it a new message', async () => {
    const endpoint = await openUnsent();
    await field('Name').press('Z');
    await expect.poll(() => status().textContent()).toContain('has not been sent');
    expect(await storedMessage()).toBeNull();
    endpoint.line = 'whole';
    await visit.page.evaluate(() => dispatchEvent(new Event('online')));
    await advanceClock(60_000);
    expect(endpoint.attempts).toHaveLength(1);
    await button('Send').click();
    await expectSent();
    expect(endpoint.attempts[1]?.body).toEqual({ name: 'Z', email: '', message: 'Hello\nthere' });
    expect(endpoint.attempts[1]?.key).not.toBe(endpoint.attempts[0]?.key);
  });

  test('expires after a day, and can still be sent', async () => {
    const endpoint = await openUnsent();
    await advanceClock(dayMs);
    expect(await status().textContent()).toContain('24 hours');
    expect(endpoint.attempts).toHaveLength(1);
    expect(await storedMessage()).toBeNull();
    endpoint.line = 'whole';
    await button('Send').click();
    await expectSent();
  });

  test('is removed from storage when refused, and keeps its key until it is edited', async () => {
    const endpoint = await openUnsent();
    await visit.page.route('/api/contact', route => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await visit.page.clock.fastForward(5_000);
    await visit.page.locator(':text("Error Occured"):visible').waitFor();
    expect(await storedMessage()).toBeNull();
    expect(await field('Message').inputValue()).toBe('Hello\nthere');
    endpoint.line = 'whole';
    await button('Send').click();
    await expectSent();
    expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
  });
});

describe('a reloaded page', () => {
  test('restores and sends the message without interaction', async () => {
    const endpoint = await openUnsent();
    // Restoring the scroll position would start hydration.
    await visit.page.evaluate(() => scrollTo(0, 0));
    await visit.page.reload();
    await expectUnsent();
    expect(await field('Message').inputValue()).toBe('Hello\nthere');
    await expect.poll(() => endpoint.attempts.length).toBe(2);
    endpoint.line = 'whole';
    await visit.page.clock.fastForward(5_000);
    await expectSent();
    expect(endpoint.attempts[2]).toEqual(endpoint.attempts[0]);
  });

  test('ignores the unsent message of another form', async () => {
    const { page } = visit;
    const endpoint = await openUnsent();
    await page.goto('/creator');
    await page.waitForTimeout(300);
    expect(await page.locator('html').getAttribute('data-script')).toBe('boot');
    await wake(page);
    expect(await field('Message').inputValue()).toBe('');
    expect(await status().textContent()).toBe('');
    // A second unsent message does not replace the first.
    await field('Message').fill('Another');
    await button('Send').click();
    await button('Do not send').waitFor();
    endpoint.line = 'whole';
    await page.goto('/contact');
    await page.getByText('REF-0').waitFor();
    expect(endpoint.attempts.at(-1)).toEqual(endpoint.attempts[0]);
    await page.goto('/creator');
    await page.getByText('REF-1').waitFor();
  });

  test('does not overwrite what was typed before hydration', async () => {
    const { page } = visit;
    const endpoint = await openUnsent();
    await page.route(/\/static\/js\/main/, async route => {
      await field('Name').fill('Zoë');
      await route.continue();
    });
    await page.reload();
    await hydrated(page);
    await expect.poll(() => status().textContent()).toContain('has not been sent');
    expect(await field('Name').inputValue()).toBe('Zoë');
    expect(await field('Message').inputValue()).toBe('Hello\nthere');
    expect(await storedMessage()).toBeNull();
    expect(endpoint.attempts).toHaveLength(1);
  });

  test('posts the message with its key when sent before hydration', async () => {
    const { page } = visit;
    const endpoint = await openUnsent();
    const waiting = await storedMessage();
    await delayChunks(page);
    await page.reload();
    await field('Message').fill('Hello\nthere');
    await expect(page.locator('[name=unsent]').inputValue()).resolves.toBe('');
    const isPost = (request: { method(): string }) => request.method() === 'POST';
    const [request] = await Promise.all([page.waitForRequest(isPost), button('Send').click()]);
    const { unsent, ...body } = Object.fromEntries(new URLSearchParams(request.postData() ?? ''));
    expect(body).toEqual({ form: 'contact', name: '', email: '', message: 'Hello\r\nthere', w4e: '' });
    expect(unsent).toBe(waiting);
    expect(JSON.parse(unsent ?? '')).toMatchObject({
      form: 'contact',
      key: endpoint.attempts[0]?.key,
      fields: endpoint.attempts[0]?.body,
    });
    expect(endpoint.attempts).toHaveLength(2);
  });

  test.each([
    ['rubbish', '{"form":"contact"'],
    ['a message that the form cannot show', { service: 'Hidden', name: '', email: '', message: 'Hello' }],
  ])('sends nothing when storage contains %s', async (_, found) => {
    const { page } = visit;
    const endpoint = await stubEndpoint('whole');
    await visit.go('/contact');
    await page.evaluate(found => {
      const key = '12345678-1234-4234-8234-123456789012';
      const record = { form: 'contact', key, pressedAt: Date.now(), fields: found };
      sessionStorage.setItem(
        'unsent-message:contact',
        typeof found === 'string' ? found : JSON.stringify(record),
      );
    }, found);
    await page.reload();
    await wake(page);
    await page.waitForTimeout(200);
    expect(endpoint.attempts).toHaveLength(0);
    expect(await storedMessage()).toBeNull();
  });
});

test('a message whose response was lost and that is posted natively is stored once', async () => {
  const { page } = visit;
  visit.expectTrouble(/Failed to load resource/);
  await page.clock.install();
  let attempts = 0;
  await page.route('/api/contact', async route => {
    attempts += 1;
    if (attempts > 1) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await visit.go('/contact');
  await wake(page);
  await field('Message').fill('Once\nonly');
  await button('Send').click();
  await expectUnsent();
  const release = await delayChunks(page);
  await page.reload();
  await field('Message').fill('Once\nonly');
  await button('Send').click();
  await page.waitForURL('/contact?waiting#sent');
  release();
  await expect.poll(storedMessage).toBeNull();
  expect(attempts).toBe(2);
  expect(findStored('Once%')).toEqual(['Once\nonly']);
});

test('an unsent message that was edited and posted natively is not sent a second time', async () => {
  const { page } = visit;
  visit.expectTrouble(/Failed to load resource/);
  await page.clock.install();
  let attempts = 0;
  await page.route('/api/contact', route => {
    attempts += 1;
    return attempts === 1 ? route.abort('connectionreset') : route.fallback();
  });
  await visit.go('/contact');
  await wake(page);
  await field('Message').fill('Draft, with a secret');
  await button('Send').click();
  await expectUnsent();
  const release = await delayChunks(page);
  await page.reload();
  await field('Message').fill('Draft, without');
  await button('Send').click();
  await page.waitForURL('/contact?waiting#sent');
  release();
  await expect.poll(storedMessage).toBeNull();
  await page.waitForURL('/contact#sent');
  expect(await page.getByText('Sent Successfully').isVisible()).toBe(true);
  await page.clock.runFor(120_000);
  expect(attempts).toBe(2);
  expect(findStored('Draft%')).toEqual(['Draft, without']);
});

test('a refusal after leaving the page is shown on return, with the message', async () => {
  const { page } = visit;
  visit.expectTrouble(/Failed to load resource/);
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let answers = 0;
  await page.route('/api/contact', async route => {
    await left;
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' });
    answers += 1;
  });
  await visit.go('/contact');
  await wake(page);
  await field('Message').fill('Not stored yet');
  await button('Send').click();
  const menu = page.locator('header');
  await menu.getByRole('link', { name: 'services' }).click();
  // The URL changes before the page: a form that is still mounted would show the refusal itself.
  await page.waitForURL('/creator');
  await page.locator('form[name=contact]').waitFor({ state: 'detached' });
  leave();
  await expect.poll(() => answers).toBe(1);
  await menu.getByRole('link', { name: 'Contact' }).first().click();
  await page.getByText('Error Occured').filter({ visible: true }).waitFor();
  expect(await field('Message').inputValue()).toBe('Not stored yet');
});

function findStored(pattern: string): unknown[] {
  const file = new DatabaseSync(join(visit.site.config.dataDir, 'wardhouse.sqlite'), { readOnly: true });
  const rows = file.prepare('select message from messages where message like ?').all(pattern);
  file.close();
  return rows.map(({ message }) => message);
}

test('a pending message is resumed on return to its page', async () => {
  const { page } = visit;
  const endpoint = await stubEndpoint('stuck');
  await open();
  await button('Send').click();
  await expect.poll(() => endpoint.attempts.length).toBe(1);
  const menu = page.locator('header');
  await menu.getByRole('link', { name: 'services' }).click();
  await page.waitForURL('/creator');
  endpoint.line = 'whole';
  await menu.getByRole('link', { name: 'Contact' }).first().click();
  await expectSent();
  expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
});

test('what is typed while a message is being sent is kept', async () => {
  const endpoint = await stubEndpoint('stuck');
  await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  await visit.page.route('/api/contact', async route => {
    await promise;
    await route.fallback();
  });
  await button('Send').click();
  await field('Message').fill('Something else');
  endpoint.line = 'whole';
  resolve();
  await visit.page.getByText('REF-0').waitFor();
  expect(await field('Message').inputValue()).toBe('Something else');
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
  const endpoint = await stubEndpoint('cut');
  visit.expectTrouble(/Failed to save scroll positions/);
  await open('/creator');
  await button('Send').click();
  await expectUnsent();
  endpoint.line = 'whole';
  await page.clock.fastForward(5_000);
  await page.getByText('REF-0').waitFor();
  expect(endpoint.attempts[0]?.key).toMatch(uuid);
  expect(endpoint.attempts[1]).toEqual(endpoint.attempts[0]);
});

function focusedText(): Promise<string | null | undefined> {
  return visit.page.evaluate(() => document.activeElement?.textContent);
}

async function setHidden(isHidden: boolean): Promise<void> {
  await visit.page.evaluate(value => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
