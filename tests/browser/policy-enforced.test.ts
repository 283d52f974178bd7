import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wake } from '../harness/page.ts';
import { visitSecurely } from '../harness/policy.ts';

/** Each test breaks the policy on purpose. */
const visit = visitSecurely();
const page = () => visit.page;

/** A host of somebody else's. */
const elsewhere = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end('<p>theirs</p>');
});
let port: number;
let heard: number;

beforeAll(async () => {
  elsewhere.on('connection', () => {
    heard += 1;
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  port = (elsewhere.address() as AddressInfo).port;
});
beforeEach(() => {
  heard = 0;
});
afterAll(() => elsewhere.close());

/** As written into a page, because a script of the browser's own tools may do more; `elsewhere` is a foreign origin. */
const attempts: Record<string, { attempt: string; rule: string }> = {
  innerHTML: { attempt: `document.body.innerHTML = '<b>'`, rule: 'require-trusted-types-for' },
  'document.write': { attempt: `document.write('<b>')`, rule: 'require-trusted-types-for' },
  eval: { attempt: `eval('broken = 1')`, rule: 'require-trusted-types-for' },
  'new Function': { attempt: `new Function('broken = 1')()`, rule: 'require-trusted-types-for' },
  'a timer of text': { attempt: `setTimeout('broken = 1')`, rule: 'require-trusted-types-for' },
  'the address of a script': {
    attempt: `document.createElement('script').src = '/icon.svg'`,
    rule: 'require-trusted-types-for',
  },
  'the text of a script': {
    attempt: `add('script').append('broken = 1')`,
    rule: 'require-trusted-types-for',
  },
  'a worker': { attempt: `new Worker('/icon.svg')`, rule: 'require-trusted-types-for' },
  'a service worker': {
    attempt: `await navigator.serviceWorker.register('/icon.svg')`,
    rule: 'require-trusted-types-for',
  },
  'a policy of its own': {
    attempt: `trustedTypes.createPolicy('default', { createHTML: text => text })`,
    rule: 'trusted-types',
  },
  WebAssembly: {
    attempt: `await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))`,
    rule: 'script-src',
  },
  'a module from elsewhere': { attempt: `await import(elsewhere + '/a.js')`, rule: 'script-src-elem' },
  'a module made up': { attempt: `await import('data:text/javascript,broken=1')`, rule: 'script-src-elem' },
  'a javascript: address': { attempt: `location.href = 'javascript:broken=1'`, rule: 'script-src-elem' },
  'a style sheet': {
    attempt: `Object.assign(add('link'), { rel: 'stylesheet', href: elsewhere })`,
    rule: 'style-src-elem',
  },
  'a picture': { attempt: `new Image().src = elsewhere`, rule: 'img-src' },
  'a font': { attempt: `await new FontFace('a', 'url(' + elsewhere + ')').load()`, rule: 'font-src' },
  'a request': { attempt: `await fetch(elsewhere)`, rule: 'connect-src' },
  'a socket': { attempt: `new WebSocket(elsewhere.replace('https', 'wss'))`, rule: 'connect-src' },
  'a frame of our own': { attempt: `add('iframe').src = '/faq'`, rule: 'frame-src' },
};

test('a script that got into a page can make none and reach nobody', async () => {
  visit.expectTrouble(/Content Security Policy|Trusted(HTML|Script)/i);
  await visit.go('/contact');
  await wake(page());
  const rules: Record<string, string[]> = {};
  for (const [name, { attempt }] of Object.entries(attempts)) {
    const before = visit.events.length;
    await run(attempt);
    await expect.poll(() => visit.events.length, { message: name }).toBeGreaterThan(before);
    rules[name] = visit.events.slice(before).map(({ rule }) => rule);
  }
  expect(rules).toEqual(
    Object.fromEntries(Object.entries(attempts).map(([name, { rule }]) => [name, [rule]])),
  );
  await isHarmless();
});

const insertions: [string, string][] = [
  ['<script>broken = 1</script>', 'script-src-elem'],
  ['<script src="ELSEWHERE/a.js"></script>', 'script-src-elem'],
  ['<b onclick="broken = 1">a</b>', 'script-src-attr'],
  ['<style>h1 { display: none }</style>', 'style-src-elem'],
  ['<b style="color: red">b</b>', 'style-src-attr'],
  ['<base href="ELSEWHERE">', 'base-uri'],
  ['<object data="ELSEWHERE"></object>', 'object-src'],
  ['<iframe src="ELSEWHERE"></iframe>', 'frame-src'],
];

test('HTML that got into a page neither runs nor looks nor sends otherwise than ours', async () => {
  visit.expectTrouble(/Content Security Policy/);
  const form = '<form action="ELSEWHERE" method="post"><button id="sender">c</button></form>';
  const added = [...insertions.map(([html]) => html), form]
    .join('\n')
    .replaceAll('ELSEWHERE', theirs('https'));
  await page().route('/contact', async route => {
    const response = await visit.site.fetch(route);
    await route.fulfill({ response, body: (await response.text()).replace('</body>', `${added}</body>`) });
  });
  await visit.go('/contact');
  await page().locator('b').first().click();
  await page().evaluate(() => document.getElementById('sender')?.click());
  const rules = [...insertions.map(([, rule]) => rule), 'form-action'];
  await expect.poll(() => visit.events.map(({ rule }) => rule).sort()).toEqual(rules.sort());
  expect(await page().locator('h1').isVisible()).toBe(true);
  expect(await page().evaluate(() => document.baseURI)).toBe(`${visit.site.origin}/contact`);
  await isHarmless();
});

describe('another site', () => {
  beforeEach(async () => {
    await page().goto(theirs());
  });

  test('shows none of our pages in a frame', async () => {
    visit.expectTrouble(/frame-ancestors/);
    await page().evaluate(address => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.src = address;
    }, `${visit.site.origin}/contact`);
    // Chromium tells the console alone: the document has no event for it.
    await expect.poll(() => visit.said).toEqual([expect.stringContaining('frame-ancestors')]);
    // It tells before the frame holds the error in the page's place.
    await expect.poll(() => page().frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/');
  });

  test('has no hold on a window of ours that it opened', async () => {
    const [ours] = await Promise.all([
      page().waitForEvent('popup'),
      page().evaluate(address => {
        Object.assign(globalThis, { theirs: open(address) });
      }, visit.site.origin),
    ]);
    await ours.locator('h1').waitFor();
    expect(await ours.evaluate(() => opener)).toBeNull();
    expect(await page().evaluate('theirs.closed')).toBe(true);
  });

  test('gets our icon, and neither our pages nor our scripts', async () => {
    visit.expectTrouble(/ERR_BLOCKED_BY_RESPONSE/);
    await page().goto(visit.site.origin);
    const boot = await page().locator('script[src]').getAttribute('src');
    await page().goto(theirs());
    const gets = (path: string | null) =>
      page().evaluate(
        address =>
          fetch(address, { mode: 'no-cors' }).then(
            () => true,
            () => false,
          ),
        visit.site.origin + path,
      );
    expect(await gets('/icon.svg')).toBe(true);
    expect(await gets('/contact')).toBe(false);
    expect(await gets(boot)).toBe(false);
  });
});

describe('on its way', () => {
  const changes = {
    script: {
      of: /\/static\/js\/boot-/,
      make: (text: string) => `${text}globalThis.broken = 1;`,
      told: /Failed to find a valid digest/,
    },
    'style sheet': {
      of: /\/contact$/,
      make: (text: string) => text.replace('</style>', 'h1 { display: none }</style>'),
      told: /inline style violates/,
    },
  };

  test.each(Object.entries(changes))(
    'a %s that was changed is not used, and the page is whole without',
    async (kind, { of, make, told }) => {
      visit.expectTrouble(told);
      await page().route(of, route => change(route, make));
      await page().goto('/contact', { waitUntil: 'networkidle' });
      expect(visit.said).toEqual([expect.stringMatching(told)]);
      expect(await page().locator('h1').isVisible()).toBe(true);
      expect(await isUsed()).toEqual({ script: kind !== 'script', 'style sheet': kind === 'script' });
      await page().unroute(of);
      await page().getByRole('button', { name: 'Send', exact: true }).click();
      await page().getByText('Sent Successfully').filter({ visible: true }).first().waitFor();
      expect(await page().evaluate('globalThis.broken')).toBeUndefined();
    },
  );

  test('either is used when it is what it was', async () => {
    for (const { of } of Object.values(changes)) await page().route(of, route => change(route, text => text));
    await visit.go('/contact');
    expect(await isUsed()).toEqual({ script: true, 'style sheet': true });
  });

  async function change(route: Route, make: (text: string) => string): Promise<void> {
    const response = await visit.site.fetch(route);
    await route.fulfill({ response, body: make(await response.text()) });
  }

  function isUsed(): Promise<unknown> {
    return page().evaluate(() => ({
      script: document.documentElement.dataset.script !== undefined,
      'style sheet': Array.from(document.styleSheets).some(
        ({ ownerNode }) => ownerNode instanceof HTMLStyleElement,
      ),
    }));
  }
});

function theirs(protocol = 'http'): string {
  return `${protocol}://elsewhere.example:${port}`;
}

/** A script's own errors are its own affair. */
function run(attempt: string): Promise<unknown> {
  return page().evaluate(`(async () => {
    const elsewhere = '${theirs('https')}';
    const add = name => document.body.appendChild(document.createElement(name));
    await new Promise(later => setTimeout(later));
    await (async () => { ${attempt} })().catch(() => undefined);
  })()`);
}

async function isHarmless(): Promise<void> {
  expect(visit.said.length).toBeGreaterThanOrEqual(visit.events.length);
  expect(await page().evaluate('globalThis.broken')).toBeUndefined();
  expect(heard).toBe(0);
}
