import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readContent } from '../../src/apps/content.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { listPosts, visitSite, withMotion } from '../harness/page.ts';
import { root, startSite } from '../harness/site.ts';
import { paths } from '../harness/site-paths.ts';

const visit = visitSite(withMotion);
const brandFont = readContent(`${root}/content`).content?.brand.fonts.text.family;
const [post] = listPosts();
const { home, services, contact, privacy, faq, blog, audit } = paths;
const layouts = [home, services, contact, privacy, faq, audit, post?.path ?? blog, '/no-such-page'];

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
      expect(await readHeadingFonts(page), path).not.toContain(brandFont);
      releaseFonts();
      await expect.poll(() => readHeadingFonts(page), { message: path }).toEqual([brandFont]);
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
async function loadInPieces(page: Page, path: string, streaming: { pauseMs: number }): Promise<void> {
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

const setByNode = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);
const pieces = 30;

/** The site behind a proxy that streams each page slowly, so that a browser paints it many times. */
async function startStreamingSite() {
  const site = await startSite();
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${site.origin}${request.url}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    const headers = [...answer.headers].filter(([name]) => !setByNode.has(name));
    response.writeHead(answer.status, headers.flat());
    const body = Buffer.from(await answer.arrayBuffer());
    for (const piece of cut(body, answer)) {
      response.write(piece);
      await wait(streaming.pauseMs);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const streaming = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pauseMs: 15,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await site[Symbol.asyncDispose]();
    },
  };
  return streaming;
}

/**
 * Sends the head at once, because nothing is painted before its end, then pieces that end before a tag, because a
 * button grows with its text. Files other than pages are not split.
 */
function cut(body: Buffer, answer: Response): Buffer[] {
  const start = body.indexOf('<body');
  if (!answer.headers.get('content-type')?.startsWith('text/html') || start === -1) return [body];
  const size = (body.length - start) / pieces;
  const cuts = Array.from({ length: pieces }, (_, index) => body.indexOf('<', start + index * size));
  return [0, ...cuts].map((from, index) => body.subarray(from, cuts[index]));
}
