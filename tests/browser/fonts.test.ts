import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { FileEntry } from '../../src/server/static-files.ts';
import { paths, stepPaths } from '../../src/site/paths.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { visitAny, withMotion } from '../harness/page.ts';
import { startPublicSite } from '../harness/public-site.ts';
import { builtSite } from '../harness/site.ts';

const visit = visitAny(startPublicSite, withMotion);

const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
const post = entries.find(({ path }) => /^\/blog\/[\w-]+$/.test(path))?.path ?? paths.blog;

describe('fonts', () => {
  test('contain every character of the pages; others are fetched when typed', async () => {
    const { page, requests } = visit;
    const fonts = () =>
      requests.filter(path => path.endsWith('.woff2')).map(path => path.replace(/-.{8}\..*/, ''));
    await visit.go('/contact');
    await scrollToEnd(page);
    expect(fonts().sort()).toEqual(['/static/woff2/geist-mono', '/static/woff2/instrument-sans']);
    await page.getByLabel('Name', { exact: true }).fill('Søren');
    await expect.poll(fonts).toContain('/static/woff2/instrument-sans-spare');
  });

  test.each([360, 390, 412, 768, 1350])(
    'show the heading in the brand typeface on a first visit over a slow line, with hardly a layout shift, at %i px',
    async width => {
      visit.expectTrouble(/404/);
      const isPhone = width < 768;
      const viewport = { width, height: isPhone ? 800 : 900 };
      const phone = isPhone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2.625 } : {};
      async function look(path: string): Promise<void> {
        await using slowLine = await startThrottledProxy(visit.site.origin);
        const page = await visit.open({ viewport, ...phone, baseURL: slowLine.origin });
        await recordLayoutShifts(page.context());
        await page.goto(path, { waitUntil: 'load', timeout: 30_000 });
        await expect.poll(() => readFonts(page, 'h1')).toEqual(['Instrument Sans']);
        await page.waitForTimeout(100);
        const shifts = await readLayoutShifts(page);
        expect(sumLayoutShifts(shifts), `${path}\n${shifts.join('\n')}`).toBeLessThanOrEqual(0.01);
        await page.context().close();
      }
      const addresses = [...Object.values(paths), post, stepPaths.asked, '/no-such-page'];
      for (let at = 0; at < addresses.length; at += 4)
        await Promise.all(addresses.slice(at, at + 4).map(look));
    },
    120_000,
  );
});

/** A phone on 4G as Lighthouse has it, 150 ms and 1.6 Mbit/s, on real sockets. */
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

/** Without keyboard and pointer, because hovering a link prefetches its page. */
async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise(done => setTimeout(done, 30));
    }
  });
  await page.locator('html[data-script=react]').waitFor();
  await page.waitForLoadState('networkidle');
}
