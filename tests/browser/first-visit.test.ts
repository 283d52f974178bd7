import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { listPosts, visitServer, waitForHydration, withMotion } from '../harness/page.ts';
import { startPublicSite } from '../harness/public-site.ts';
import { type SiteInPieces, startStreamingSite } from '../harness/streaming-site.ts';

const visit = visitServer(startPublicSite, withMotion);
const [post] = listPosts();
const layouts = [
  paths.home,
  paths.services,
  paths.contact,
  paths.privacy,
  paths.faq,
  post?.path ?? paths.blog,
];

async function expectSteadyLayout(page: Page, path: string): Promise<void> {
  // Layout shifts are reported after the frame.
  await page.evaluate(() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted, 50))));
  const shifts = await readLayoutShifts(page);
  expect(sumLayoutShifts(shifts), `${path}\n${shifts.join('\n')}`).toBeLessThanOrEqual(0.01);
}

test('fonts contain every character of the pages; others are fetched when typed', async () => {
  const { page, requests } = visit;
  const fonts = () =>
    requests.filter(path => path.endsWith('.woff2')).map(path => path.replace(/-.{8}\..*/, ''));
  await visit.open('/contact');
  // Without a pointer, because hovering a link prefetches its page.
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await waitForHydration(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  expect(fonts().sort()).toEqual(['/static/woff2/geist-mono', '/static/woff2/instrument-sans']);
  await page.getByLabel('Name', { exact: true }).fill('Søren');
  await expect.poll(fonts).toContain('/static/woff2/instrument-sans-spare');
});

test('the heading is in the brand typeface on a slow line, with hardly a layout shift', async () => {
  const views = [
    ...layouts.map(path => ({ path, width: 360 })),
    ...[768, 1350].map(width => ({ path: '/', width })),
  ];
  async function look({ path, width }: (typeof views)[number]): Promise<void> {
    await using slowLine = await startThrottledProxy(visit.site.origin);
    const isMobile = width < 768;
    const device = { viewport: { width, height: 800 }, hasTouch: isMobile, isMobile };
    const page = await visit.newPage({ ...device, baseURL: slowLine.origin });
    await recordLayoutShifts(page.context());
    await page.goto(path, { timeout: 30_000 });
    await expect.poll(() => readFonts(page, 'h1')).toEqual(['Instrument Sans']);
    await expectSteadyLayout(page, path);
    await page.context().close();
  }
  for (let at = 0; at < views.length; at += 4) await Promise.all(views.slice(at, at + 4).map(look));
}, 90_000);

test('there is hardly any layout shift while the HTML arrives in pieces', async () => {
  await using streaming = await startStreamingSite();
  const page = await visit.newPage({ baseURL: streaming.origin });
  await recordLayoutShifts(page.context());
  for (const [viewport, addresses] of [
    [{ width: 390, height: 844 }, layouts],
    [{ width: 1440, height: 1200 }, [paths.home, paths.contact]],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const path of addresses) {
      await loadInPieces(page, path, streaming);
      await expectSteadyLayout(page, path);
    }
  }
}, 90_000);

/** Slower until the page is painted while it arrives: otherwise nothing could shift. */
async function loadInPieces(page: Page, path: string, streaming: SiteInPieces): Promise<void> {
  for (streaming.pauseMs = 15; streaming.pauseMs < 500; streaming.pauseMs *= 2) {
    await page.goto(path, { waitUntil: 'load', timeout: 30_000 });
    if (await page.evaluate(wasPaintedEarly)) return;
  }
  throw new Error(`${path} was not painted before it was complete`);
}

function wasPaintedEarly(): boolean {
  const [paint] = performance.getEntriesByType('paint');
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return paint !== undefined && document !== undefined && paint.startTime < document.responseEnd;
}

/** A phone on 4G as Lighthouse has it, 150 ms and 1.6 Mbit/s, on real sockets: Chromium's own throttling may never end a load. */
async function startThrottledProxy(origin: string): Promise<AsyncDisposable & { origin: string }> {
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

/** Bandwidth that all connections share. */
function createLink(bytesPerMs: number) {
  let freeAt = 0;
  return (bytes: number, send: () => void): void => {
    freeAt = Math.max(freeAt, performance.now()) + bytes / bytesPerMs;
    setTimeout(send, freeAt + 75 - performance.now());
  };
}

function relay(from: Socket, to: Socket, link: ReturnType<typeof createLink>): void {
  from.on('data', chunk => link(chunk.length, () => to.writable && to.write(chunk)));
  from.on('end', () => link(0, () => to.end()));
  from.on('error', () => to.destroy());
}

/** The fonts that an element is rendered with. */
async function readFonts(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName);
}
