import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { beforeEach, expect, test } from 'vitest';
import { tokenPath } from '../../src/features/messages/contract.ts';
import { honeypotField } from '../../src/ui/contract.ts';
import { type Behaviour, createHttpService } from '../fakes/http-service.ts';
import { createSheetService } from '../fakes/sheet-service.ts';
import { buildStaticSite, staticEndpoints } from '../harness/builds.ts';
import { delayChunks, hydrate, visitServer, waitForHydration, waitForIdle } from '../harness/page.ts';

const visit = visitServer(startStaticSite);
const status = () => visit.page.locator('main form [aria-live]:not(label ~ *)').first();
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const posts = () => visit.site.sheet.requests.filter(({ method }) => method === 'POST');
const visibleText = (text: string) => visit.page.locator(`:text("${text}"):visible`);

beforeEach(() => {
  visit.allowOtherOrigins();
  for (const service of [visit.site.sheet, visit.site.letters]) {
    service.requests.length = 0;
    service.rows.length = 0;
    service.script([]);
  }
});

async function open(path: string): Promise<void> {
  await visit.open(path);
  await hydrate(visit.page);
  await field('Message').fill('Hello\nthere');
}

/** Waits until a request that must not be sent would have arrived. */
async function waitForRequests(): Promise<void> {
  await waitForIdle(visit.page);
  await visit.page.evaluate(() => fetch('/robots.txt'));
}

test('a message is posted to the service, begins with the selected service, and stays unless it is answered with 200', async () => {
  visit.allowErrors(/Failed to load resource/);
  const { sheet } = visit.site;
  await open('/creator');
  await field('Name').fill('Zoë');
  await field('Service').selectOption('Data Security');
  const headers = { location: `${sheet.url}rows` };
  sheet.script([{ kind: 'answer', status: 302, body: '{}', headers }]);
  await button('Send').click();
  // A service's own status means nothing to a visitor.
  await visibleText('was not accepted').waitFor();
  expect(await field('Message').inputValue()).toBe('Hello\nthere');
  await button('Send').click();
  await visibleText('Sent Successfully').waitFor();
  expect(sheet.rows).toEqual([{ name: 'Zoë', email: '', message: 'Service: Data Security\nHello\nthere' }]);
  const post = posts().at(-1);
  expect(post?.url.pathname).toBe('/api/1');
  expect(post?.headers['content-type']).toBe('application/json');
  for (const name of ['idempotency-key', 'cookie', 'referer']) expect(post?.headers).not.toHaveProperty(name);
  expect(await field('Message').inputValue()).toBe('');
  expect(await visit.page.getByText('Your reference').count()).toBe(0);
  // Without the fields that only our own server reads.
  expect(await visit.page.locator(`[name=${honeypotField}]`).count()).toBe(0);
  expect(visit.requests).not.toContain(tokenPath);
});

test('a message without a response is kept, also over a reload, and not retried automatically', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource/);
  await page.clock.install();
  await open('/contact');
  await page.context().setOffline(true);
  await button('Send').click();
  await expect.poll(() => status().textContent()).toContain('hasn’t been sent, as far as we can tell');
  expect(await visibleText('Error Occured').count()).toBe(0);
  expect(await button('Do not send').count()).toBe(0);
  await page.context().setOffline(false);
  await page.clock.fastForward(120_000);

  await page.reload();
  await waitForHydration(page);
  await expect.poll(() => status().textContent()).toContain('hasn’t been sent, as far as we can tell');
  expect(await field('Message').inputValue()).toBe('Hello\nthere');
  await page.clock.fastForward(120_000);
  await page.evaluate(() => fetch('/robots.txt'));
  expect(posts()).toHaveLength(0);
  await button('Send').click();
  await visibleText('Sent Successfully').waitFor();
  expect(posts()).toHaveLength(1);
  expect(await page.evaluate(() => sessionStorage.getItem('unsent-message:contact'))).toBeNull();
});

test('a message that is submitted before hydration is sent once by React', async () => {
  const { page, site } = visit;
  const release = await delayChunks(page);
  await visit.open('/contact');
  await field('Name').fill('Zoë');
  await field('Message').fill('Early');
  await button('Send').click();
  await field('Name').press('Enter');
  await waitForRequests();
  expect(new URL(page.url()).pathname).toBe('/contact');
  expect(await field('Message').inputValue()).toBe('Early');
  release();
  await visibleText('Sent Successfully').waitFor();
  await waitForRequests();
  expect(site.sheet.rows).toEqual([{ name: 'Zoë', email: '', message: 'Early' }]);
});

test('the newsletter form posts only the address, to its own service', async () => {
  const { page, site } = visit;
  await visit.open('/privacy');
  await hydrate(page);
  const email = page.locator('footer form input');
  await email.fill('zoe@example.com');
  visit.allowErrors(/Failed to load resource/);
  // Browsers retry once after a connection reset.
  const behaviours: [string, Behaviour][] = [
    ['has not been sent', { kind: 'reset' }],
    ['Error Occured', { kind: 'answer', status: 201, body: '' }],
    ['Sent Successfully', { kind: 'work' }],
  ];
  for (const [words, behaviour] of behaviours) {
    site.letters.script(() => behaviour);
    await button('Subscribe').click();
    await visibleText(words).waitFor();
  }
  expect(site.letters.rows).toEqual([{ email: 'zoe@example.com' }]);
  expect(site.letters.requests.at(-1)?.url.pathname).toBe('/api/2');
  expect(await email.inputValue()).toBe('');
});

test('without JavaScript phone and email are shown instead of a form', async () => {
  const plain = await visit.newPage({ javaScriptEnabled: false });
  await plain.goto('/contact');
  expect(await plain.locator('form:visible').count()).toBe(0);
  const instead = plain.locator('noscript').first();
  expect(await instead.locator('a[href^="tel:"]').isVisible()).toBe(true);
  expect(await instead.locator('a[href^="mailto:"]').isVisible()).toBe(true);
  const newsletter = plain.locator('footer').getByRole('link', { name: 'Subscribe by email' });
  expect(await newsletter.isVisible()).toBe(true);
});

/**
 * The build for hosts without a server, on a host as Netlify and Cloudflare Pages are: a page without its ending, the 404
 * page, and the headers of the file. The services that it posts to are on origins of their own.
 */
async function startStaticSite() {
  const stack = new AsyncDisposableStack();
  const [sheet, letters] = [stack.use(await createSheetService()), stack.use(await createSheetService())];
  const folder = join(await buildStaticSite(), 'site');
  const read = (file: string) =>
    readFileSync(join(folder, file), 'latin1')
      .replaceAll(new URL(staticEndpoints.contactEndpoint).origin, sheet.origin)
      .replaceAll(new URL(staticEndpoints.newsletterEndpoint).origin, letters.origin);
  const rules = read('_headers')
    .split(/\n(?=\S)/)
    .map(block => block.trim().split(/\n\s*/));

  const host = await createHttpService(({ url: { pathname } }) => {
    const names = [pathname, `${pathname}.html`, `${pathname}index.html`];
    // The blog is a page and a folder.
    const found = names.find(name => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile());
    const file = found ?? '404.html';
    const headers = new Headers({ 'content-type': getMimeType(file) ?? 'application/octet-stream' });
    for (const [pattern = '', ...lines] of rules) {
      if (!new URLPattern({ pathname: pattern }).test({ pathname })) continue;
      // Two rules that name one header are joined: the file must not rely on the later one.
      for (const [name = '', value = ''] of lines.map(line => line.split(/: (.*)/)))
        headers.append(name, value);
    }
    const body = Buffer.from(read(file), 'latin1');
    return { status: found ? 200 : 404, headers: Object.fromEntries(headers), body };
  });
  const { origin } = stack.use(host);
  // A static host has no log.
  const lines: string[] = [];
  return { origin, sheet, letters, lines, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
