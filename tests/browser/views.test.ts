import { once } from 'node:events';
import { createServer, request as passOn } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser, openUnwatched } from '../harness/browser.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';
import { hydrated, visitAny, wake } from '../harness/page.ts';
import { startSite } from '../harness/site.ts';

/** Our own browser is a robot, says so in two ways, and keeps no page to go back to: here it is somebody's. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
const person = { userAgent, reducedMotion: 'reduce' } as const;
const unautomated = ['--disable-blink-features=AutomationControlled'];
let database: TestDatabase;

const visit = visitAny(
  async () => {
    database = (await databases[0]?.create()) as TestDatabase;
    return startSite(database.env);
  },
  person,
  () =>
    launchBrowser({
      args: unautomated,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
);
afterAll(() => database.remove());

/** What was told since this was last expected: kind, page, site, campaign, how often. */
async function expectTold(expected: string[]): Promise<void> {
  // A beacon is on its way without anybody to wait for it; and another one may be.
  await expect.poll(readTold).toEqual(expected);
  await visit.page.waitForTimeout(150);
  expect(await readTold()).toEqual(expected);
  await database.query('delete from views');
}

async function readTold(): Promise<string[]> {
  await visit.site.views.flush();
  const rows = await database.query('select * from views order by kind desc, path, referrer');
  return rows.map(({ kind, path, referrer, source, medium, campaign, count }) =>
    [kind, path, referrer, source, medium, campaign, count].filter(part => part !== '').join(' '),
  );
}

test('a page that was shown is told once, whatever is done on it', async () => {
  const { page } = visit;
  await visit.go('/faq');
  await wake(page);
  await page.mouse.wheel(0, 2000);
  await page.locator('summary').first().click();
  await expectTold(['view /faq 1']);
});

test('each page is told, by links, by Back, and by a reload, with and without React', async () => {
  const { page } = visit;
  await visit.go('/');
  await page.goto('/creator');
  await wake(page);
  await expectTold(['view / 1', 'view /creator 1']);
  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Our Services' }).waitFor();
  await expectTold(['view /contact 1', 'view /creator 1']);
  await page.reload();
  await expectTold(['view /creator 1']);
});

test('a page of the blog is told once for each document', async () => {
  const { page } = visit;
  await visit.go('/blog');
  await wake(page);
  await page.locator('main h2 > a').first().click();
  await page.locator('.post').waitFor();
  const { pathname } = new URL(page.url());
  await wake(page);
  await page.locator('.heading-link').first().click();
  await expectTold(['view /blog 1', `view ${pathname} 1`]);
  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
  await expectTold(['view /contact 1']);
  await page.goBack();
  await page.locator('.post').waitFor();
  await expectTold([`view ${pathname} 1`]);
});

test('a place on the same page is no other page', async () => {
  const { page } = visit;
  await visit.go('/privacy');
  await wake(page);
  await page.evaluate(() => {
    location.hash = '#security';
  });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expectTold(['view /privacy 1']);
});

test('a page that is gone back to is told again, fetched anew or kept by the browser', async () => {
  const { page } = visit;
  await visit.go('/terms-and-condition');
  await page.goto('/faq');
  await page.goBack({ waitUntil: 'commit' });
  await expectTold(['view /faq 1', 'view /terms-and-condition 2']);
  // Not every Chromium keeps pages; this is what one that does says of it.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expectTold(['view /terms-and-condition 1']);
});

test('a site that led here led to the first page alone, and to none that the browser kept', async () => {
  const { page } = visit;
  await page.goto('/faq', { referer: 'https://search.example/' });
  await wake(page);
  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expectTold(['view /contact 2', 'view /faq search.example 1']);
});

test('an address that is not there is told as that, and no more of it', async () => {
  const { page } = visit;
  visit.expectTrouble(/404/);
  await page.goto('/no/such/page?token=secret');
  await expectTold(['view /404 1']);
});

test('the site and the campaign that led here are told with the page, and with the message alone', async () => {
  const { page } = visit;
  await page.goto('/?utm_source=Letter&utm_medium=mail&utm_campaign=Spring%20Audit&who=zoe', {
    referer: 'https://search.example/?q=private',
  });
  await expectTold(['view / search.example letter mail spring audit 1']);
  await visit.go('/contact');
  await wake(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('Please call.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent Successfully').waitFor();
  await expectTold(['view /contact 1', 'message letter mail spring audit 1']);
  const [message] = await database.query('select * from messages');
  expect(JSON.stringify(message)).not.toMatch(/letter|spring/i);
});

test('a message that no campaign led to is not told', async () => {
  const { page } = visit;
  await visit.go('/contact');
  await wake(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('Please write.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Sent Successfully').waitFor();
  await expectTold(['view /contact 1']);
});

test('a page that was opened behind another is told once somebody turns to it', async () => {
  const { page } = visit;
  await page.addInitScript(() => {
    let state: DocumentVisibilityState = 'hidden';
    Object.defineProperty(document, 'hidden', { get: () => state === 'hidden' });
    Object.assign(globalThis, {
      turn(to: DocumentVisibilityState) {
        state = to;
        document.dispatchEvent(new Event('visibilitychange'));
      },
    });
  });
  await visit.go('/');
  await expectTold([]);
  for (const state of ['visible', 'hidden', 'visible']) await page.evaluate(`turn('${state}')`);
  await expectTold(['view / 1']);
});

test('a browser that asks not to be counted tells nothing, and the switch says so', async () => {
  const { page } = visit;
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
  });
  await visit.go('/privacy?utm_source=letter');
  await switchOf(page).scrollIntoViewIfNeeded();
  await hydrated(page);
  await page.getByText('Your browser asks not to be counted').waitFor();
  expect(await switchOf(page).getByRole('button').count()).toBe(0);
  expect(visit.requests).not.toContain('/api/views');
  expect(await page.evaluate(() => sessionStorage.getItem('campaign'))).toBeNull();
});

test('a robot that drives a browser tells nothing', async () => {
  const { page } = visit;
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => true });
  });
  await visit.go('/');
  await page.waitForTimeout(100);
  expect(visit.requests).not.toContain('/api/views');
});

test('whoever switches it off is told of no more, in any tab, until they switch it on again', async () => {
  const { page } = visit;
  await visit.go('/privacy?utm_source=letter');
  const button = page.getByRole('button', { name: 'Do not count this browser' });
  await button.click();
  await page.getByText('What this browser shows is not counted.').waitFor();
  expect(await button.getAttribute('aria-pressed')).toBe('true');
  expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toEqual({ uncounted: 'yes' });
  await expectTold(['view /privacy letter 1']);
  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto('/privacy');
  await wake(tab);
  await tab.getByText('What this browser shows is not counted.').waitFor();
  await expectTold([]);
  await tab.getByRole('button', { name: 'Do not count this browser' }).click();
  await tab.getByText('What this browser shows is counted.').waitFor();
  await tab.goto('/faq');
  await expectTold(['view /faq 1']);
});

test('a page that was prepared ahead of a click is told when it is shown, and not before', async () => {
  const seen: string[] = [];
  const rules = JSON.stringify({
    prerender: [{ urls: ['/faq', '/terms-and-condition'], eagerness: 'immediate' }],
  });
  const script = `<script type="speculationrules">${rules}</script>
    <script>addEventListener('message', () => { location.href = '/faq' }); setTimeout(postMessage, 1500, '')</script>`;
  // Before the site stands a page of nobody's that has two of ours prepared, and follows the link to one.
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers['sec-purpose'] ?? ''}`.trim());
    if (request.url === '/start') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(script);
      return;
    }
    const { method, url: path, headers } = request;
    const { port } = new URL(visit.site.origin);
    const options = { port, host: '127.0.0.1', method, path, headers };
    const passed = passOn(options, answer => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const unwatched = [
    '--disable-features=Prerender2MemoryControls',
    `--user-agent=${userAgent}`,
    ...unautomated,
  ];
  {
    await using _ = await openUnwatched(`http://127.0.0.1:${port}/start`, unwatched);
    await expect.poll(() => seen, { timeout: 10_000 }).toContain('/api/views');
  }
  server.close();
  server.closeAllConnections();
  // Both were there, with their scripts, before anybody had seen either.
  expect(seen).toEqual(
    expect.arrayContaining(['/faq prefetch;prerender', '/terms-and-condition prefetch;prerender']),
  );
  expect(seen.filter(line => /boot.* prefetch;prerender/.test(line)).length).toBeGreaterThan(0);
  expect(seen.filter(line => line.startsWith('/api/views'))).toEqual(['/api/views']);
  await expectTold(['view /faq 1']);
});

function switchOf(page: Page) {
  return page.locator('.prose .needs-script');
}
