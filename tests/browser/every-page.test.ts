import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { auditPaths, newsletterPaths, paths } from '../../src/site/paths.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { publicUrl } from '../harness/builds.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { hydrate, listPosts, visitSite, waitForIdle } from '../harness/page.ts';
import { builtSite } from '../harness/site.ts';

/** Everything that can be seen of a page by looking at it, on one load of each page: loading is most of the work. */
const visit = visitSite();
const kilobyte = 1000;
const [phone, tablet, laptop, desktop, paper] = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 794, height: 1123 },
];
const posts = listPosts().map(({ path }) => path);
const named: string[] = Object.values(paths);
/** One component shows all newsletter steps: with a button, with a form, with neither. */
const all = [
  ...named,
  ...posts,
  newsletterPaths.confirm,
  newsletterPaths.expired,
  newsletterPaths.requested,
  auditPaths.report,
  '/no-such-page',
];
/** Pages that differ from another one in their text only: they are looked at once more, at the narrowest width. */
const sameLayout: string[] = [
  paths.terms,
  paths.security,
  paths['audit-about'],
  ...posts.slice(1),
  newsletterPaths.confirm,
  newsletterPaths.requested,
];

const hasStructuredData = (path: string) => [...named, ...posts].includes(path);
const layouts = all.filter(path => !sameLayout.includes(path));

test.each(layouts)(
  '%s',
  async path => {
    const { page } = visit;
    if (path === '/no-such-page') visit.allowErrors(/status of 404/);
    await page.setViewportSize(phone);
    await recordLayoutShifts(page.context());
    await visit.open(path);
    await expectLightFirstView(await readWeight(page));
    expect(await page.locator('h1:visible').count()).toBe(1);
    const structuredData = await readStructuredData(page);
    expect(structuredData).toHaveLength(hasStructuredData(path) ? 1 : 0);
    await expectSameStylesWithFullStylesheet(path);

    await page.setViewportSize(phone);
    await waitForIdle(page);
    await page.evaluate('shifts.length = 0');
    await hydrate(page);
    await scrollThrough(page);
    await expectLightWhole(path, await readWeight(page));
    const shifts = await readLayoutShifts(page);
    expect(sumLayoutShifts(shifts), shifts.join('\n')).toBeLessThanOrEqual(0.001);
    expect(await readStructuredData(page)).toEqual(structuredData);

    await expectAccessible(path);
    await expectLargeTargets();
    await expectKeyboardFocus(path);
    await expectRoomForLargeText();
    if (named.includes(path) || path === posts[0]) await expectPrintable();
    expect(await findStored(page)).toEqual([]);
  },
  60_000,
);

test.each(sameLayout)('%s, like another page', async path => {
  const { page } = visit;
  await page.setViewportSize({ width: 320, height: 640 });
  await visit.open(path);
  await expectLightFirstView(await readWeight(page));
  expect(await page.locator('h1:visible').count()).toBe(1);
  const structuredData = await readStructuredData(page);
  expect(structuredData).toHaveLength(hasStructuredData(path) ? 1 : 0);
  await hydrate(page);
  expect(await readStructuredData(page)).toEqual(structuredData);
  await expectAccessible(path);
});

test('every page is complete without JavaScript', async () => {
  visit.allowErrors(/status of 404/);
  const page = await visit.newPage({ javaScriptEnabled: false });
  for (const path of layouts) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(path === '/no-such-page' ? 404 : 200);
    expect(await page.locator('h1:visible').count(), path).toBe(1);
    expect(await page.locator('main').textContent(), path).toMatch(/\w{3,}/);
    // Controls that only JavaScript operates are not shown.
    expect(await page.locator('[data-replay]:visible').count(), path).toBe(0);
  }
});

type Weight = { requests: string[]; all: number; scripts: number; fonts: number };

/** What has come over the wire, without headers. */
async function readWeight(page: Page): Promise<Weight> {
  await waitForIdle(page);
  const sizes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      entry => {
        const { name, transferSize, encodedBodySize } = entry as PerformanceResourceTiming;
        // Nothing is transferred from the cache.
        return { path: new URL(name).pathname, size: transferSize > 0 ? encodedBodySize : 0 };
      },
    ),
  );
  const total = (pattern: RegExp) =>
    sizes.filter(({ path }) => pattern.test(path)).reduce((sum, { size }) => sum + size, 0);
  const requests = sizes.map(({ path }) => path);
  return { requests, all: total(/./), scripts: total(/\.js$/), fonts: total(/\.woff2$/) };
}

async function expectLightFirstView({ requests, all, scripts, fonts }: Weight): Promise<void> {
  expect(requests.length).toBeLessThanOrEqual(8);
  expect(all).toBeLessThanOrEqual(110 * kilobyte);
  expect(fonts).toBeLessThanOrEqual(40 * kilobyte);
  expect(scripts).toBeLessThanOrEqual(2 * kilobyte);
  const loaded = requests.filter(path => path.endsWith('.js'));
  expect(loaded).toEqual([expect.stringMatching(/^\/static\/js\/boot-/)]);
}

async function expectLightWhole(path: string, { requests, scripts, fonts }: Weight): Promise<void> {
  expect(scripts).toBeLessThanOrEqual((path === '/' ? 115 : 112) * kilobyte);
  expect(fonts).toBeLessThanOrEqual(40 * kilobyte);
  expect(requests.filter(name => name.includes('-spare-'))).toEqual([]);
  expect(visit.site.lines.filter(line => line.includes('/static/js/main-'))).toHaveLength(1);
}

function readStructuredData(page: Page): Promise<string[]> {
  return page.locator('script[type="application/ld+json"]').allTextContents();
}

async function expectAccessible(path: string): Promise<void> {
  const { page } = visit;
  // Home and Services have every kind of section at every width; elsewhere the narrowest is the hardest.
  const widths = path === paths.home || path === paths.services ? [320, 1440] : [320];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    // What a narrow page does not show, Home has: the links of the header, and the buttons of the carousel.
    const hasContrast = width === 320 ? !sameLayout.includes(path) : path === paths.home;
    const violations = await findAxeViolations(page, { hasContrast });
    expect(violations, `axe at ${width} px`).toEqual([]);
  }
  if (path !== paths.home) return;
  await page.setViewportSize({ width: 320, height: 640 });
  const menu = await page.getByRole('button', { name: 'Menu' }).boundingBox();
  expect(Math.min(menu?.width ?? 0, menu?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await page.emulateMedia({ contrast: 'more' });
  expect(await findAxeViolations(page, { isOnlyContrast: true }), 'axe with more contrast').toEqual([]);
  await page.emulateMedia({ contrast: null });
}

/** A page carries only the rules that it needs: with those of all pages it must look the same. */
async function expectSameStylesWithFullStylesheet(path: string): Promise<void> {
  const { page } = visit;
  // Which rules are removed depends on selectors only: one page shows that rules of every medium are kept.
  const variants = [
    { viewport: desktop, media: {} },
    { viewport: phone, media: { forcedColors: 'active' } },
    { viewport: tablet, media: { contrast: 'more' } },
    { viewport: paper, media: { media: 'print' } },
  ] as const;
  const chosen = path === paths.home ? variants : variants.slice(0, 1);
  const look = async ({ viewport, media }: (typeof variants)[number], index: number) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ media: 'screen', contrast: null, forcedColors: null, ...media });
    return page.evaluate(compareStyles, index);
  };
  for (const [index, variant] of chosen.entries()) await look(variant, index);
  const folder = '/static/css';
  const full = readdirSync(join(builtSite, 'site', folder)).find(file => /^site-.*\.css$/.test(file));
  await page.evaluate(address => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address });
    link.id = 'full-stylesheet';
    return new Promise((onload, onerror) => document.head.append(Object.assign(link, { onload, onerror })));
  }, `${folder}/${full}`);
  for (const [index, variant] of chosen.entries())
    expect(await look(variant, index), JSON.stringify(variant)).toEqual([]);
  await page.evaluate(() => document.getElementById('full-stylesheet')?.remove());
  await page.emulateMedia({ media: null, contrast: null, forcedColors: null });
}

/**
 * Reads the computed values that a stylesheet sets, of every kind of element once, and lists what differs from the first
 * reading under the same number. The values stay in the page: there are some hundred thousand.
 */
function compareStyles(reading: number): string[] {
  const kinds =
    /^(align|animation-name|background|border-(?!block|inline|image)|bottom|box|clip|color$|column-g|content$|display|fill|flex|font-[fsw]|gap|grid-t|height|justify|left|letter|line-h|list|margin-[tbl]|max-w|min|opacity|order|outline-[ws]|overflow-|padding-[tbl]|pointer|position|right|row|scroll-s|stroke$|text-[adotuw]|top|transform$|transition-p|vertical|visib|white|width|word|z-i)/;
  for (const transition of document.getAnimations()) transition.finish();
  const store = globalThis as unknown as { readings?: Map<number, Map<string, string[]>> };
  store.readings ??= new Map();
  const properties = Array.from(getComputedStyle(document.body)).filter(property => kinds.test(property));
  const describe = (element: Element | null) => `${element?.tagName} ${element?.getAttribute('class') ?? ''}`;
  const found = new Map<string, string[]>();
  for (const element of document.querySelectorAll('html, body, body *')) {
    const name = `${describe(element.parentElement)} > ${describe(element)}`;
    if (found.has(name)) continue;
    const values: string[] = [];
    for (const pseudo of [null, '::before', '::after']) {
      const computed = getComputedStyle(element, pseudo);
      if (pseudo && computed.content === 'none') continue;
      for (const property of properties) values.push(computed.getPropertyValue(property));
    }
    found.set(name, values);
  }
  const first = store.readings.get(reading);
  store.readings.set(reading, found);
  if (!first) return [];
  return [...found].flatMap(([name, values]) =>
    values.flatMap((value, index) =>
      value === first.get(name)?.[index]
        ? []
        : [`${name} has ${properties[index % properties.length]}: ${value}`],
    ),
  );
}

async function expectPrintable(): Promise<void> {
  const { page } = visit;
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('header a:visible').allTextContents()).toEqual(['Wardhouse']);
  expect(await page.locator('footer :is(p, dl):visible').first().textContent()).toMatch(/^© \d{4} /);
  const contact = await page.locator('footer > div').evaluate(it => getComputedStyle(it, '::after').content);
  expect(contact).toMatch(/\d{4}.*@.*London/);
  const links = page.locator('main a:visible:not(.heading-link)');
  expect(await links.evaluateAll(findLinksWithoutUrl, publicUrl)).toEqual([]);
  expect(await page.locator('main, main *').evaluateAll(readColours)).toEqual([
    'ground rgb(255, 255, 255)',
    'ground rgba(0, 0, 0, 0)',
    'text rgb(0, 0, 0)',
  ]);
  const breaks = await page
    .locator('main :is(h1, h2, h3, summary)')
    .evaluateAll(elements => elements.map(element => getComputedStyle(element).breakAfter));
  expect([...new Set(breaks)]).toEqual(['avoid']);
  expect(await page.locator('h1:visible').count()).toBe(1);
  expect(await page.locator('main :is(p, li, dd):visible').count()).toBeGreaterThan(5);
  const controls = page.locator(
    'nav, form, button, input, [popover], .progress, .illustration, footer a, main a:empty',
  );
  expect(await controls.count()).toBeGreaterThan(5);
  expect(await controls.filter({ visible: true }).count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(paper.width);
  await page.emulateMedia({ media: null });
}

/** On paper a link is of use only with its URL, once. */
function findLinksWithoutUrl(links: Element[], site: string): string[] {
  return links
    .map(link => ({
      url: (link.getAttribute('href') ?? '').replace(/^(tel|mailto):/, '').replace(/^\//, `${site}/`),
      shown: link.textContent + getComputedStyle(link, '::after').content,
    }))
    .filter(({ url, shown }) => shown.replaceAll(/[ "]/g, '').split(url).length !== 2)
    .map(({ url, shown }) => `${url} as ${shown}`);
}

function readColours(elements: Element[]): string[] {
  const colours = elements
    .filter(element => element.checkVisibility() && element.textContent?.trim())
    .flatMap(element => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [`text ${color}`, `ground ${backgroundColor}`];
    });
  return [...new Set(colours)].sort();
}

/** 44 px, except for links in running text. */
async function expectLargeTargets(): Promise<void> {
  const { page } = visit;
  for (const viewport of [phone, laptop]) {
    await page.setViewportSize(viewport);
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary'))
        .filter(element => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
        .filter(element => !element.closest('.sr-only') && getComputedStyle(element).display !== 'inline')
        .map(element => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width < 43.9 || box.height < 43.9)
        .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.width}×${box.height}`),
    );
    expect(small, `at ${viewport.width} px`).toEqual([]);
  }
}

/** Home shows the header and the footer of all pages; elsewhere the keyboard starts at <main> and ends with it. */
async function expectKeyboardFocus(path: string): Promise<void> {
  const { page } = visit;
  const isHome = path === paths.home;
  await page.evaluate(() => scrollTo(0, 0));
  if (!isHome) await page.locator('main').focus();
  const seen = new Set<string>();
  for (let press = 0; press < 200; press++) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(describeFocus);
    if (!focus || !(isHome || focus.isInMain)) break;
    expect(focus).toMatchObject({ isRinged: true, isInView: true, isCovered: false });
    seen.add(focus.name);
  }
  expect(seen.size).toBeGreaterThan(isHome ? 30 : 0);
}

function describeFocus() {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const box = element.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const [x, y] = [box.left + box.width / 2, Math.min(box.top + box.height / 2, innerHeight - 2)];
  const top = document.elementFromPoint(x, y);
  return {
    name: `${element.tagName} ${element.textContent} ${element.id} ${element.getAttribute('aria-label')}`,
    isInMain: element.closest('main') !== null,
    isRinged: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    isInView: box.bottom > 0 && box.top < innerHeight,
    isCovered: !(top && (element.contains(top) || top.contains(element))),
  };
}

/** At twice the text size nothing is cut off, and nothing scrolls sideways. */
async function expectRoomForLargeText(): Promise<void> {
  const { page } = visit;
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '212.5%';
  });
  for (const viewport of [laptop, phone]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    expect(await page.locator('body *').evaluateAll(findCutOff), `at ${viewport.width} px`).toEqual([]);
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
}

/** Elements whose content does not fit, where they do not scroll. */
function findCutOff(elements: Element[]): string[] {
  return elements
    .filter(element => !element.closest('.sr-only, svg, .carousel, .illustration'))
    .filter(element => element.clientWidth > 1 && /hidden|clip/.test(getComputedStyle(element).overflow))
    .filter(
      element =>
        element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1,
    )
    .map(element => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 60)}`);
}

/** Window by window, so that everything that loads late is loaded. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise(painted => requestAnimationFrame(() => setTimeout(painted)));
    }
    scrollTo({ top: 0, behavior: 'instant' });
  });
}

/** What the browser stores beyond scroll positions, unsent messages and the pause of motion. */
async function findStored(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  const stored = await page.evaluate(async () => [
    ...Object.keys(sessionStorage).filter(
      key => !/^(react-router-scroll-positions|motion|unsent-message:\w+)$/.test(key),
    ),
    ...Object.keys(localStorage),
    ...(await caches.keys()),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  ]);
  return [...cookies.map(({ name }) => name), ...stored];
}
