import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileEntry } from '../../src/server/files.ts';
import { paths } from '../../src/site/paths.ts';
import { hydrated, layOutAll, visitAny, withMotion } from '../harness/page.ts';
import { startPublicly } from '../harness/public-site.ts';
import { shiftsOn, watchShifts } from '../harness/shifts.ts';
import { builtSite } from '../harness/site.ts';

const visit = visitAny(startPublicly, withMotion);
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
    expect(fonts()).toEqual(['/static/woff2/instrument-sans', '/static/woff2/geist-mono']);
    await page.getByLabel('Name', { exact: true }).fill('Søren');
    await expect.poll(fonts).toContain('/static/woff2/instrument-sans-spare');
  });

  test.each([small, large])('move no word when they are late, at $width × $height', async viewport => {
    const context = (await visit.open({ viewport })).context();
    await watchShifts(context);
    await context.route('**/*.woff2', async route => {
      await new Promise(done => setTimeout(done, 1000));
      await route.continue().catch(() => undefined);
    });
    const moved = [...Object.values(paths), post].map(async path => {
      const page = await context.newPage();
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await layOutAll(page);
      await page.waitForTimeout(200);
      const before = await page.evaluate(textHeights);
      expect(before.length).toBeGreaterThan(10);
      await page.waitForLoadState('load');
      await page.waitForTimeout(200);
      expect(await page.evaluate(textHeights), path).toEqual(before);
      expect(await shiftsOn(page), path).toEqual([]);
    });
    await Promise.all(moved);
  });
});

describe('the wait for fonts', () => {
  const phone = { viewport: small, hasTouch: true, isMobile: true };

  test.each([
    ['holds no paint back on a phone', phone, false],
    ['is short at a desk', { viewport: large }, true],
  ])('%s, and each is asked for once', async (_, options, isDesk) => {
    const page = await visit.open(options);
    await page.goto('/', { waitUntil: 'networkidle' });
    // A browser waits for what the head preloads, and not for what the body does.
    const waited = await page
      .locator('head link[as=font]')
      .evaluateAll(links => links.map(link => matchMedia((link as HTMLLinkElement).media).matches));
    expect(waited).toEqual([isDesk, isDesk]);
    expect(visit.requests.filter(path => path.endsWith('.woff2'))).toHaveLength(2);
    // Nor does a phone look for what only desks have.
    const stack = await page.locator('html').evaluate(html => getComputedStyle(html).fontFamily);
    expect(stack).toContain('Like Roboto');
    expect(stack.includes('Like Arial')).toBe(isDesk);
  });

  test('ends with the second page for those that came too late for the first', async () => {
    const page = await visit.open(phone);
    const { promise: isPainted, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async route => {
      await isPainted;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
    release();
    await page.waitForLoadState('networkidle');
    expect(await fontsOf(page, 'h1')).not.toContain('Instrument Sans');
    await page.getByRole('button', { name: 'Menu' }).tap();
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    expect(await fontsOf(page, 'h1')).not.toContain('Instrument Sans');
    const first = await page.evaluateHandle(() => document);
    await page.locator('a[href="/contact"]:visible').last().tap();
    await page.waitForURL('/contact');
    await expect.poll(() => fontsOf(page, 'h1')).toEqual(['Instrument Sans']);
    expect(await first.evaluate(one => one === document)).toBe(true);
  });
});

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

function textHeights(): number[] {
  return [...document.querySelectorAll('h1, h2, h3, p, li, dd, summary')].map(
    element => (element as HTMLElement).offsetHeight,
  );
}
