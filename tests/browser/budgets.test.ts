import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileEntry } from '../../src/server/static-files.ts';
import { paths, stepPaths } from '../../src/site/paths.ts';
import { launchBrowser, phoneLetters } from '../harness/browser.ts';
import { visitAny, withMotion } from '../harness/page.ts';
import { startPublicly } from '../harness/public-site.ts';
import { shiftsOn, sumOf, watchShifts } from '../harness/shifts.ts';
import { builtSite } from '../harness/site.ts';

const visit = visitAny(startPublicly, withMotion, () => launchBrowser({ args: phoneLetters }));
const kilobyte = 1000;
const small = { width: 390, height: 844 };
const large = { width: 1440, height: 900 };

const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
/** Any post; a blog without one is as light as its list. */
const post = entries.find(({ path }) => /^\/blog\/[\w-]+$/.test(path))?.path ?? paths.blog;

type Weight = { requests: number; all: number; scripts: number; fonts: number; strangers: string[] };
const figures: Record<string, object> = {};
afterAll(() => {
  for (const [what, weight] of Object.entries(figures))
    process.stdout.write(`${what.padEnd(18)} ${JSON.stringify(weight)}\n`);
});

describe('the first view of home', () => {
  test.each([small, large])('is light at $width × $height', async viewport => {
    const page = await visit.open({ viewport });
    const weight = await weigh(page, () => page.goto('/', { waitUntil: 'networkidle' }));
    note(`home at ${viewport.width}`, weight);
    expect(weight.requests).toBeLessThanOrEqual(8);
    expect(weight.all).toBeLessThanOrEqual(110 * kilobyte);
    expect(weight.fonts).toBeLessThanOrEqual(40 * kilobyte);
    expect(weight.scripts).toBeLessThanOrEqual(2 * kilobyte);
    expect(weight.strangers).toEqual([]);
  });
});

test.each([paths.blog, post])('the first view of %s is as light', async path => {
  const page = await visit.open({ viewport: small });
  const weight = await weigh(page, () => page.goto(path, { waitUntil: 'networkidle' }));
  note(path.slice(0, 18), weight);
  expect(weight.requests).toBeLessThanOrEqual(8);
  expect(weight.all).toBeLessThanOrEqual(110 * kilobyte);
  expect(weight.scripts).toBeLessThanOrEqual(2 * kilobyte);
});

test.each([...Object.entries(paths), ['a post', post]])(
  '%s is light when it is read to its end',
  async (name, path) => {
    const page = await visit.open({ viewport: small });
    const weight = await weigh(page, async () => {
      await page.goto(path, { waitUntil: 'load' });
      await readToTheEnd(page);
    });
    note(`${name}, whole`, weight);
    expect(await page.locator('html[data-script=react]').count()).toBe(1);
    expect(weight.scripts).toBeLessThanOrEqual((path === '/' ? 115 : 112) * kilobyte);
    expect(weight.fonts).toBeLessThanOrEqual(40 * kilobyte);
    expect(visit.requests.filter(path => path.includes('-spare-'))).toEqual([]);
    expect(weight.strangers).toEqual([]);
  },
);

describe('fonts', () => {
  test('hold every character that a page shows; others are fetched when a visitor types them', async () => {
    const { page, requests } = visit;
    const fonts = () =>
      requests.filter(path => path.endsWith('.woff2')).map(path => path.replace(/-.{8}\..*/, ''));
    await visit.go('/contact');
    await readToTheEnd(page);
    expect(fonts().sort()).toEqual(['/static/woff2/geist-mono', '/static/woff2/instrument-sans']);
    await page.getByLabel('Name', { exact: true }).fill('Søren');
    await expect.poll(fonts).toContain('/static/woff2/instrument-sans-spare');
  });

  test.each([360, 390, 412, 768, 1350])(
    'show the heading in the brand typeface on a first visit over a slow line, and move hardly a word, at %i px',
    async width => {
      visit.expectTrouble(/404/);
      await using slowLine = await startSlowLine(visit.site.origin);
      for (const path of [...Object.values(paths), post, stepPaths.asked, '/no-such-page']) {
        const isPhone = width < 768;
        const viewport = { width, height: isPhone ? 800 : 900 };
        const phone = isPhone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2.625 } : {};
        const page = await visit.open({ viewport, ...phone, baseURL: slowLine.origin });
        await watchShifts(page.context());
        await page.goto(path, { waitUntil: 'load', timeout: 30_000 });
        await expect.poll(() => fontsOf(page, 'h1')).toEqual(['Instrument Sans']);
        await page.waitForTimeout(100);
        const shifts = await shiftsOn(page);
        expect(sumOf(shifts), `${path}\n${shifts.join('\n')}`).toBeLessThanOrEqual(0.01);
        await page.context().close();
      }
    },
    120_000,
  );
});

/** A phone on 4G as Lighthouse has it, 150 ms and 1.6 Mbit/s, on real sockets. */
async function startSlowLine(origin: string): Promise<AsyncDisposable & { origin: string }> {
  const sockets = new Set<Socket>();
  const [uplink, downlink] = [createLink(93.75), createLink(204.8)];
  const server = createServer(client => {
    const upstream = connect(Number(new URL(origin).port), '127.0.0.1');
    sockets.add(client).add(upstream);
    relay(client, upstream, uplink);
    relay(upstream, client, downlink);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** All connections share its capacity. */
function createLink(bytesPerMs: number) {
  let freeAt = 0;
  return (bytes: number, act: () => void): void => {
    freeAt = Math.max(freeAt, performance.now()) + bytes / bytesPerMs;
    setTimeout(act, freeAt + 75 - performance.now());
  };
}

function relay(from: Socket, to: Socket, link: ReturnType<typeof createLink>): void {
  from.on('data', chunk => link(chunk.length, () => to.writable && to.write(chunk)));
  from.on('end', () => link(0, () => to.end()));
  from.on('error', () => to.destroy());
}

/** Which fonts an element is drawn in. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName);
}

/** What goes over the wire for the bodies of all answers, until nothing is asked for any more. */
async function weigh(page: Page, act: () => Promise<unknown>): Promise<Weight> {
  const asked: Request[] = [];
  page.on('requestfinished', request => asked.push(request));
  await act();
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(
    asked.map(async request => ({
      url: request.url(),
      size: (await request.sizes()).responseBodySize,
    })),
  );
  const total = (pattern: RegExp) =>
    sizes.filter(({ url }) => pattern.test(url)).reduce((sum, { size }) => sum + size, 0);
  return {
    requests: asked.length,
    all: total(/./),
    scripts: total(/\.js$/),
    fonts: total(/\.woff2$/),
    strangers: sizes.map(({ url }) => url).filter(url => !url.startsWith(visit.site.origin)),
  };
}

function note(what: string, { strangers: _, ...weight }: Weight): void {
  figures[what] = weight;
}

/** With the keyboard's and the pointer's help neither: a link that is pointed at fetches its page. */
async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise(done => setTimeout(done, 30));
    }
  });
  await page.locator('html[data-script=react]').waitFor();
  await page.waitForLoadState('networkidle');
}
