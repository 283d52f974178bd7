import { beforeEach, describe, expect, test } from 'vitest';
import { honeypotField, tokenPath } from '../../src/api/contract.ts';
import { headerSettings } from '../../src/server/headers.ts';
import { loadFiles } from '../../src/server/static-files.ts';
import { paths } from '../../src/site/paths.ts';
import type { Behaviour } from '../fakes/http-service.ts';
import { createSheetService } from '../fakes/sheet-service.ts';
import { delayChunks, hydrated, visitAny, wake } from '../harness/page.ts';
import { startStaticSite } from '../harness/static-site.ts';

const visit = visitAny(() => startStaticSite());
beforeEach(() => visit.expectOtherOrigins());
const status = () => visit.page.locator('main form [aria-live]').first();
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const posts = () => visit.site.sheet.requests.filter(({ method }) => method === 'POST');
const visibleText = (text: string) => visit.page.locator(`:text("${text}"):visible`);

beforeEach(() => {
  for (const service of [visit.site.sheet, visit.site.letters]) {
    service.requests.length = 0;
    service.rows.length = 0;
    service.script([]);
  }
});

async function open(path = '/contact'): Promise<void> {
  await visit.go(path);
  await wake(visit.page);
  await field('Message').fill('Hello\nthere');
}

describe('a message', () => {
  test('is posted to the service as name, e-mail and message, and only 200 is success', async () => {
    await open();
    await field('Name').fill('Zoë');
    await field('Email').fill('zoe@example.com');
    await button('Send').click();
    await visibleText('Sent Successfully').waitFor();
    const [post] = posts();
    expect(JSON.parse(post?.body ?? '')).toEqual({
      name: 'Zoë',
      email: 'zoe@example.com',
      message: 'Hello\nthere',
    });
    expect(post?.url.pathname).toBe('/api/1');
    expect(post?.headers['content-type']).toBe('application/json');
    expect(post?.headers).not.toHaveProperty('idempotency-key');
    expect(post?.headers).not.toHaveProperty('cookie');
    expect(post?.headers).not.toHaveProperty('referer');
    expect(posts()).toHaveLength(1);
    expect(await field('Message').inputValue()).toBe('');
    expect(await visit.page.getByText('Your reference').count()).toBe(0);
    // Without the fields that only our own server reads.
    expect(await visit.page.locator(`[name=${honeypotField}]`).count()).toBe(0);
    expect(visit.requests).not.toContain(tokenPath);
  });

  test('begins with the selected service', async () => {
    await open('/creator');
    await field('Service').selectOption('Data Security');
    await button('Send').click();
    await visibleText('Sent Successfully').waitFor();
    expect(visit.site.sheet.rows).toEqual([
      { name: '', email: '', message: 'Service: Data Security\nHello\nthere' },
    ]);
  });

  test('that is answered with anything but 200 is refused, and stays', async () => {
    visit.expectTrouble(/Failed to load resource/);
    await open();
    for (const status of [201, 302, 402, 429, 500]) {
      const headers: Record<string, string> =
        status === 302 ? { location: `${visit.site.sheet.url}rows` } : {};
      visit.site.sheet.script([{ kind: 'answer', status, body: '{}', headers }]);
      await field('Message').fill(`Hello ${status}`);
      const sent = visit.page.waitForRequest(request => request.url().startsWith(visit.site.sheet.url));
      await button('Send').click();
      await sent;
      await visibleText('Error Occured').waitFor();
      // A service's own status means nothing to a visitor.
      expect(await visibleText('was not accepted').count()).toBe(1);
      expect(await field('Message').inputValue()).toBe(`Hello ${status}`);
      await field('Message').fill('');
    }
  });

  test('without a response is kept, also over a reload, and not retried automatically', async () => {
    const { page } = visit;
    visit.expectTrouble(/Failed to load resource/);
    await page.clock.install();
    await open();
    await page.context().setOffline(true);
    await button('Send').click();
    await expect.poll(() => status().textContent()).toContain('has not been sent, as far as we can tell');
    expect(await visibleText('Error Occured').count()).toBe(0);
    expect(await button('Do not send').count()).toBe(0);
    await page.context().setOffline(false);
    await page.clock.fastForward(120_000);

    await page.reload();
    await hydrated(page);
    await expect.poll(() => status().textContent()).toContain('has not been sent, as far as we can tell');
    expect(await field('Message').inputValue()).toBe('Hello\nthere');
    await page.clock.fastForward(120_000);
    await page.waitForTimeout(150);
    expect(posts()).toHaveLength(0);
    await button('Send').click();
    await visibleText('Sent Successfully').waitFor();
    expect(posts()).toHaveLength(1);
    expect(await page.evaluate(() => sessionStorage.getItem('unsent-message:contact'))).toBeNull();
  });

  test.each(['click', 'Enter'])(
    'that is submitted by %s before hydration is sent once by React',
    async by => {
      const { page } = visit;
      const release = await delayChunks(page);
      await visit.go('/contact');
      await field('Name').fill('Zoë');
      await field('Message').fill('Early');
      for (let press = 0; press < 2; press += 1)
        await (by === 'click' ? button('Send').click() : field('Name').press('Enter'));
      await page.waitForTimeout(200);
      expect(new URL(page.url()).pathname).toBe('/contact');
      expect(await field('Message').inputValue()).toBe('Early');
      release();
      await visibleText('Sent Successfully').waitFor();
      await page.waitForTimeout(200);
      expect(visit.site.sheet.rows).toEqual([{ name: 'Zoë', email: '', message: 'Early' }]);
    },
  );

  test('that was submitted before hydration and edited since is not sent', async () => {
    const release = await delayChunks(visit.page);
    await visit.go('/contact');
    await field('Message').fill('Ear');
    await button('Send').click();
    await field('Message').pressSequentially('ly');
    release();
    await hydrated(visit.page);
    await visit.page.waitForTimeout(200);
    expect(posts()).toHaveLength(0);
    expect(await field('Message').inputValue()).toBe('Early');
  });

  test('that is submitted during hydration is sent once', async () => {
    const { page } = visit;
    await visit.go('/contact');
    await page.evaluate(() => {
      (document.querySelector('#contact-message') as HTMLInputElement).value = 'Between';
      const root = document.getElementById('root') as HTMLElement;
      const listen = root.addEventListener;
      let isFirst = true;
      root.addEventListener = function (this: HTMLElement, ...args: Parameters<typeof listen>) {
        listen.apply(this, args);
        const form = document.querySelector<HTMLFormElement>('form[name=contact]');
        const submitter = form?.querySelector<HTMLElement>('[type=submit]');
        if (isFirst) queueMicrotask(() => form?.requestSubmit(submitter));
        isFirst = false;
      } as typeof listen;
    });
    await wake(page);
    await visibleText('Sent Successfully').waitFor();
    await page.waitForTimeout(200);
    expect(visit.site.sheet.rows).toEqual([{ name: '', email: '', message: 'Between' }]);
  });
});

describe('the newsletter form', () => {
  test('posts only the address, to its own service', async () => {
    await visit.go('/privacy');
    await wake(visit.page);
    const form = visit.page.locator('footer form');
    await form.locator('input').fill('zoe@example.com');
    visit.expectTrouble(/Failed to load resource/);
    // Browsers retry once after a connection reset.
    const behaviours: [string, Behaviour][] = [
      ['has not been sent', { kind: 'reset' }],
      ['Error Occured', { kind: 'answer', status: 201, body: '' }],
      ['Sent Successfully', { kind: 'work' }],
    ];
    for (const [words, behaviour] of behaviours) {
      visit.site.letters.script(() => behaviour);
      await button('Subscribe').click();
      await visibleText(words).waitFor();
    }
    expect(visit.site.letters.rows).toEqual([{ email: 'zoe@example.com' }]);
    expect(visit.site.letters.requests.at(-1)?.url.pathname).toBe('/api/2');
    expect(await form.locator('input').inputValue()).toBe('');
  });
});

/** These hosts merge matching rules, so rules that differ must not match unknown URLs. */
const differsByPath = ['Cache-Control', 'Cross-Origin-Resource-Policy', 'Speculation-Rules'];

describe('the CSP', () => {
  test('allows the two services and no other origin', async () => {
    visit.expectTrouble(/Content Security Policy|Refused to connect|Connecting to/);
    const { sheet, letters, origin } = visit.site;
    await visit.go('/contact');
    const reached = (address: string) =>
      visit.page.evaluate(
        address =>
          fetch(address).then(
            () => true,
            () => false,
          ),
        address,
      );
    await using other = await createSheetService();
    expect(await reached(`${sheet.url}rows`)).toBe(true);
    expect(await reached(`${letters.url}rows`)).toBe(true);
    expect(await reached(`${other.url}rows`)).toBe(false);
    expect(other.requests).toEqual([]);
    const header = (await fetch(`${origin}/contact`)).headers.get('content-security-policy');
    expect(header).toContain(`connect-src 'self' ${sheet.origin} ${letters.origin};`);
    expect((await fetch(`${origin}/_headers`)).status).toBe(404);
  });

  const sheetDigest = / 'sha256-[^']+'/g;

  test.each(['/', '/contact', '/static/js/', '/icon.svg', '/no-such-page'])(
    'and every other header of %s is what our own server would send',
    async start => {
      const { outDir, config, origin } = visit.site;
      const files = loadFiles(outDir, headerSettings(config));
      const path = start.endsWith('js/') ? await readBootScript() : start;
      const response = await fetch(origin + path);
      const own = (files.get(path) ?? files.notFound).plain.headers;
      for (let at = 0; at < own.length; at += 2) {
        const name = own[at] ?? '';
        // A host sets these itself, and no rule can match unknown URLs.
        if (/^(etag|vary|content-(type|length))$/i.test(name)) continue;
        if (response.status === 404 && differsByPath.includes(name)) continue;
        const [sent = '', ours = ''] = [response.headers.get(name) ?? undefined, own[at + 1]];
        // A host has one CSP for all pages, with the hashes of all stylesheets.
        expect(sent.replaceAll(sheetDigest, ''), name).toBe(ours.replaceAll(sheetDigest, ''));
        for (const digest of ours.match(sheetDigest) ?? []) expect(sent).toContain(digest);
      }
      expect(files.get('/_headers')).toBeUndefined();
    },
  );
});

test('every page complies with the CSP', async () => {
  const { page } = visit;
  visit.expectTrouble(/status of 404/);
  // A violation is logged to the console, which fails the test.
  for (const path of [...Object.values(paths), '/no-such-page']) {
    await page.goto(path);
    await wake(page);
  }
});

describe('without JavaScript', () => {
  test.each(['/contact', '/creator'])('%s shows phone and e-mail instead of its form', async path => {
    const page = await visit.open({ javaScriptEnabled: false });
    await page.goto(path);
    expect(await page.locator('form:visible').count()).toBe(0);
    const instead = page.locator('noscript').first();
    expect(await instead.locator('a[href^="tel:"]').isVisible()).toBe(true);
    expect(await instead.locator('a[href^="mailto:"]').isVisible()).toBe(true);
    expect(await page.locator('footer').getByRole('link', { name: 'Ask for it by e-mail' }).isVisible()).toBe(
      true,
    );
  });

  test('nothing is shown instead of a form with JavaScript', async () => {
    await visit.go('/contact');
    expect(await visit.page.locator('form:visible').count()).toBe(2);
    expect(await visibleText('This form needs JavaScript').count()).toBe(0);
  });
});

test('the pages name the service that receives a message, and claim nothing of our own server', async () => {
  const { page } = visit;
  await visit.go('/privacy');
  const policy = await page.locator('main').innerText();
  expect(policy).toContain(new URL(visit.site.sheet.origin).host);
  expect(policy).toContain(new URL(visit.site.letters.origin).host);
  expect(policy).not.toMatch(/our own database|a reference|\{\w+\}/);
  await visit.go('/contact');
  expect(await page.locator('main').innerText()).not.toMatch(/given a reference|\{\w+\}/);
});

async function readBootScript(): Promise<string> {
  const html = await (await fetch(visit.site.origin)).text();
  return /\/static\/js\/boot-[\w-]+\.js/.exec(html)?.[0] ?? '';
}

test("another spelling of a page's URL by the host is normalised", async () => {
  const { page } = visit;
  const heading = () => page.locator('h1').textContent();
  await visit.go('/contact.html?from=letter');
  await wake(page);
  await page.evaluate(() => {
    location.hash = 'main';
  });
  await page.waitForTimeout(100);
  expect(await heading()).toBe('Contact Us');
  await page.getByRole('link', { name: 'Help & FAQ' }).click();
  await expect.poll(heading).toBe('Help & FAQ');
  await page.goBack();
  await expect.poll(heading).toBe('Contact Us');
  await page.goBack();
  expect(await heading()).toBe('Contact Us');
  expect(page.url()).toBe(`${visit.site.origin}/contact?from=letter`);
});
