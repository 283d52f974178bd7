import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { listPosts, visitServer, waitForHydration, withMotion } from '../harness/page.ts';
import { startPublicSite } from '../harness/public-site.ts';
import { startStreamingSite } from '../harness/streaming-site.ts';

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
  const viewport = { width: 360, height: 800 };
  async function look(path: string): Promise<void> {
    const page = await visit.newPage({ viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2.625 });
    await recordLayoutShifts(page.context());
    await throttle(page);
    await page.goto(path);
    await expect.poll(() => readFonts(page, 'h1')).toEqual(['Instrument Sans']);
    await expectSteadyLayout(page, path);
    await page.context().close();
  }
  for (let at = 0; at < layouts.length; at += 3) await Promise.all(layouts.slice(at, at + 3).map(look));
});

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
      await page.goto(path, { waitUntil: 'load' });
      expect(await page.evaluate(wasPaintedEarly), path).toBe(true);
      await expectSteadyLayout(page, path);
    }
  }
});

/** Whether the page was painted while it arrived: otherwise nothing could shift. */
function wasPaintedEarly(): boolean {
  const [paint] = performance.getEntriesByType('paint');
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return paint !== undefined && document !== undefined && paint.startTime < document.responseEnd;
}

/** A phone on 4G as Lighthouse has it: 150 ms and 1.6 Mbit/s. */
async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [downloadThroughput, uploadThroughput] = [204_800, 93_750];
  const conditions = { offline: false, latency: 150, downloadThroughput, uploadThroughput };
  await session.send('Network.emulateNetworkConditions', conditions);
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
