import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readContent } from '../../src/apps/content.ts';
import { auditPaths } from '../../src/features/audit/contract.ts';
import { newsletterPaths } from '../../src/features/newsletter/contract.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { budgets, expectWithin } from '../harness/budgets.ts';
import { publicUrl } from '../harness/builds.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { hydrate, listPosts, visitSite, waitForIdle } from '../harness/page.ts';
import { builtSite, root } from '../harness/site.ts';
import { paths } from '../harness/site-paths.ts';
import { pressTab } from './keyboard.ts';

/** Everything that can be seen of a page by looking at it, on one load of each page: loading is most of the work. */
const visit = visitSite();
const { content: words } = readContent(join(root, 'content'));
const [narrow, phone, laptop, paper] = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
  { width: 794, height: 1123 },
];
const stylesheets = '/static/css';
const fullStylesheet = `${stylesheets}/${readdirSync(join(builtSite, 'site', stylesheets)).find(file => file.startsWith('site-'))}`;
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

// In one tab: another one would start a process, and compile React and axe anew, for each page.
test('every page is light, steady, accessible, printable, and stores nothing', async () => {
  const { page } = visit;
  visit.allowErrors(/status of 404/);
  await recordLayoutShifts(page.context());
  for (const path of all) {
    await lookAt(path).catch(error => {
      throw new Error(`${path}: ${error.message}`, { cause: error });
    });
  }
  expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
  const kept = await page.evaluate(() => Object.keys(sessionStorage));
  expect(kept).toEqual(['react-router-scroll-positions']);
  expect(visit.site.lines.filter(line => line.includes('/static/js/main-'))).toHaveLength(1);
}, 300_000);

async function lookAt(path: string): Promise<void> {
  const { page } = visit;
  await page.setViewportSize(phone);
  await visit.open(path);
  expect(await page.locator('h1:visible').count()).toBe(1);
  if (sameLayout.includes(path)) {
    await hydrate(page);
    await expectAccessible(path);
    return;
  }
  const first = await listTransfers(page);
  expect(first.length, path).toBeLessThanOrEqual(budgets.firstRequests);
  expectWithin('firstView', sumSizes(first), path);
  expect(first.filter(([name]) => name.endsWith('.js') && !name.includes('/boot-'))).toEqual([]);
  expect(await page.evaluate(compareStyles, fullStylesheet)).toEqual([]);
  await page.evaluate('shifts.length = 0');
  await hydrate(page);
  await scrollThrough(page);
  const whole = await listTransfers(page);
  expectWithin('scripts', sumSizes(whole.filter(([name]) => name.endsWith('.js'))), path);
  expect(whole.filter(([name]) => name.includes('-spare-'))).toEqual([]);
  const shifts = await readLayoutShifts(page);
  expect(sumLayoutShifts(shifts), shifts.join('\n')).toBeLessThanOrEqual(0.001);
  await expectAccessible(path);
  await expectRoom();
  await expectKeyboardFocus(path);
  if (named.includes(path) || path === posts[0]) await expectPrintable();
}

/** The files that a first visit transfers, and their bytes without headers: their limits are in tests/harness/budgets.ts. */
async function listTransfers(page: Page): Promise<[path: string, size: number][]> {
  await waitForIdle(page);
  const transfers = await page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap(type => performance.getEntriesByType(type) as PerformanceResourceTiming[])
      .map(({ name, encodedBodySize }): [string, number] => [new URL(name).pathname, encodedBodySize]),
  );
  // A file that is preloaded and then used has two entries.
  return [...new Map(transfers)];
}

function sumSizes(transfers: [path: string, size: number][]): number {
  return transfers.reduce((sum, [, size]) => sum + size, 0);
}

async function expectAccessible(path: string): Promise<void> {
  const { page } = visit;
  const isHome = path === paths.home;
  // What the narrowest page does not show, Home has: the links of the header, and the buttons of the carousel.
  for (const viewport of isHome ? [laptop, narrow] : [narrow]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    const violations = await findAxeViolations(page, { hasContrast: !sameLayout.includes(path) });
    expect(violations, `axe at ${viewport.width} px`).toEqual([]);
  }
  if (!isHome) return;
  await page.emulateMedia({ contrast: 'more' });
  expect(await findAxeViolations(page, { isOnlyContrast: true }), 'axe with more contrast').toEqual([]);
  await page.emulateMedia({ contrast: null });
}

/** A page carries only the rules that it needs: with those of all pages every kind of element must look the same. */
async function compareStyles(stylesheet: string): Promise<string[]> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: stylesheet });
  await new Promise((onload, onerror) => document.head.append(Object.assign(link, { onload, onerror })));
  const listProperties = (rules: CSSRuleList): string[] =>
    Array.from(rules as Iterable<Partial<CSSStyleRule>>).flatMap(({ style, cssRules }) => [
      ...(style ?? []),
      ...(cssRules ? listProperties(cssRules) : []),
    ]);
  const sheet = link.sheet as CSSStyleSheet;
  const properties = [...new Set(listProperties(sheet.cssRules))].filter(name => !name.startsWith('--'));
  const describe = (element: Element | null) => `${element?.tagName} ${element?.getAttribute('class') ?? ''}`;
  const kinds = new Map(
    Array.from(document.querySelectorAll('body, body *'), element => [
      `${describe(element.parentElement)} > ${describe(element)}`,
      element,
    ]),
  );
  const read = () => {
    for (const transition of document.getAnimations()) transition.finish();
    return Array.from(kinds).flatMap(([name, element]) =>
      ['', '::before', '::after'].flatMap(pseudo => {
        const computed = getComputedStyle(element, pseudo);
        if (pseudo && computed.content === 'none') return [];
        return properties.map(
          property => `${name} ${pseudo} has ${property}: ${computed.getPropertyValue(property)}`,
        );
      }),
    );
  };
  const withAllRules = read();
  sheet.disabled = true;
  const seen = new Set(read());
  link.remove();
  return withAllRules.filter(value => !seen.has(value));
}

async function expectPrintable(): Promise<void> {
  const { page } = visit;
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('header a:visible').allTextContents()).toEqual([words?.brand.logoText]);
  expect(await page.locator('footer :is(p, dl):visible').first().textContent()).toMatch(/^© \d{4} /);
  const contact = await page.locator('footer > div').evaluate(it => getComputedStyle(it, '::after').content);
  expect(contact).toContain(words?.company.address.join(' · '));
  const links = page.locator('main a:visible:not(.heading-link)');
  expect(await links.evaluateAll(findLinksWithoutUrl, publicUrl)).toEqual([]);
  expect(await page.locator('main, main *').evaluateAll(findColoured)).toEqual([]);
  expect(await page.locator('h1:visible').count()).toBe(1);
  const controls = page.locator(
    'nav, form, button, input, [popover], .progress, .illustration, footer a, main a:empty',
  );
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

/** On paper text is black on white. */
function findColoured(elements: Element[]): string[] {
  return elements
    .filter(element => element.checkVisibility() && element.textContent?.trim())
    .map(element => getComputedStyle(element))
    .map(({ color, backgroundColor }) => `${color} on ${backgroundColor}`)
    .filter(colours => !/^rgb\(0, 0, 0\) on (rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\))$/.test(colours));
}

/** On phones and laptops every target is large, and at twice the text size nothing is cut off or scrolls sideways. */
async function expectRoom(): Promise<void> {
  const { page } = visit;
  for (const viewport of [phone, laptop]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(findSmallTargets), `at ${viewport.width} px`).toEqual([]);
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '212.5%'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    expect(await page.locator('body *').evaluateAll(findCutOff), `at ${viewport.width} px`).toEqual([]);
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  }
}

/** 44 px, except for links in running text. */
function findSmallTargets(): string[] {
  return Array.from(
    document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary'),
  )
    .filter(element => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
    .filter(element => !element.closest('.sr-only') && getComputedStyle(element).display !== 'inline')
    .map(element => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width < 43.9 || box.height < 43.9)
    .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.width}×${box.height}`);
}

/** Home shows the header and the footer of all pages; elsewhere the keyboard starts at <main>, whose controls recur. */
async function expectKeyboardFocus(path: string): Promise<void> {
  const { page } = visit;
  const isHome = path === paths.home;
  await page.evaluate(() => scrollTo(0, 0));
  if (!isHome) await page.locator('main').focus();
  let seen = 0;
  for (; seen < (isHome ? 200 : 30); seen++) {
    const focus = await pressTab(page);
    if (!focus || !(isHome || focus.isInMain)) break;
    expect(focus, focus.name).toMatchObject({ isRinged: true, isInView: true, isCovered: false });
  }
  expect(seen).toBeGreaterThan(isHome ? 30 : 0);
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
