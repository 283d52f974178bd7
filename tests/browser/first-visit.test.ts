import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { listPosts, visitSite, withMotion } from '../harness/page.ts';
import { type SiteInPieces, startStreamingSite } from '../harness/streaming-site.ts';

const visit = visitSite(withMotion);
const [post] = listPosts();
const { home, services, contact, privacy, faq, blog, audit } = paths;
const layouts = [home, services, contact, privacy, faq, audit, post?.path ?? blog, '/no-such-page'];

test('a font for characters that no page contains is fetched when one is typed', async () => {
  await visit.open('/contact');
  await visit.page.getByLabel('Name', { exact: true }).fill('Søren');
  await expect
    .poll(() => visit.requests)
    .toContainEqual(expect.stringMatching(/^\/static\/woff2\/instrument-sans-spare-/));
});

test('while the HTML arrives in pieces, and fonts after it, every layout hardly shifts and ends in the brand typeface', async () => {
  visit.allowErrors(/status of 404/);
  await using streaming = await startStreamingSite();
  const page = await visit.newPage({ baseURL: streaming.origin });
  await recordLayoutShifts(page.context());
  for (const [viewport, addresses] of [
    [{ width: 390, height: 844 }, layouts],
    [{ width: 1440, height: 1200 }, [home, contact]],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const path of addresses) {
      // Nothing is cached while a route is set.
      const { promise: painted, resolve: releaseFonts } = Promise.withResolvers<void>();
      await page.route('**/*.woff2', async route => {
        await painted;
        await route.continue();
      });
      await loadInPieces(page, path, streaming);
      expect(await readHeadingFonts(page), path).not.toContain('Instrument Sans');
      releaseFonts();
      await expect.poll(() => readHeadingFonts(page), { message: path }).toEqual(['Instrument Sans']);
      // Layout shifts are reported after the frame.
      await page.evaluate(
        () => new Promise(reported => requestAnimationFrame(() => setTimeout(reported, 50))),
      );
      const shifts = await readLayoutShifts(page);
      expect(sumLayoutShifts(shifts), `${path}\n${shifts.join('\n')}`).toBeLessThanOrEqual(0.01);
      await page.unroute('**/*.woff2');
    }
  }
}, 90_000);

/** Slower until the page is painted while it arrives: otherwise nothing could shift. */
async function loadInPieces(page: Page, path: string, streaming: SiteInPieces): Promise<void> {
  for (streaming.pauseMs = 15; streaming.pauseMs < 500; streaming.pauseMs *= 2) {
    await page.goto(path, { waitUntil: 'domcontentloaded', timeout: 30_000 });
    if (await page.evaluate(wasPaintedEarly)) return;
  }
  throw new Error(`${path} was not painted before it was complete`);
}

function wasPaintedEarly(): boolean {
  const [paint] = performance.getEntriesByType('paint');
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return paint !== undefined && document !== undefined && paint.startTime < document.responseEnd;
}

/** The fonts that the heading is really painted with. */
async function readHeadingFonts(page: Page): Promise<string[]> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('DOM.enable');
  await devTools.send('CSS.enable');
  const { root } = await devTools.send('DOM.getDocument');
  const { nodeId } = await devTools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await devTools.send('CSS.getPlatformFontsForNode', { nodeId });
  await devTools.detach();
  return fonts.map(({ familyName }) => familyName);
}
