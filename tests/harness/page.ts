import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { shareBrowser } from './browser.ts';
import { startSite, type TestSite } from './site.ts';

/** Whatever is visited: our own server, or a static host. */
type Visited = AsyncDisposable & { origin: string; lines: string[] };

export type Visit<Site extends Visited = TestSite> = {
  site: Site;
  page: Page;
  /** Paths that the page requested, in order. */
  requests: string[];
  /** Console errors and warnings that this test makes happen on purpose. */
  expectTrouble(...patterns: RegExp[]): void;
  /** This test asks for another origin than the site's on purpose. */
  expectOtherOrigins(): void;
  /** Loads a page and lets its boot script run. */
  go(path: string): Promise<void>;
  /** A page in a context with other settings, watched like the first one. */
  open(options: BrowserContextOptions): Promise<Page>;
};

/**
 * Gives each test of a file a fresh page on a running site. An unexpected console message, CSP violation,
 * uncaught exception or request to another origin fails the test. Motion is reduced by default, because a click waits
 * for its target to stand still.
 */
export function visitSite(defaults?: BrowserContextOptions): Visit {
  return visitAny(startSite, defaults);
}

/** The same on another site than our own server's. */
export function visitAny<Site extends Visited>(
  start: () => Promise<Site>,
  defaults: BrowserContextOptions = { reducedMotion: 'reduce' },
): Visit<Site> {
  const visit = { requests: [] as string[] } as Visit<Site>;
  let browser: Browser;
  let trouble: string[] = [];
  let expected: RegExp[] = [];
  let isConfined = true;
  let contexts: BrowserContext[] = [];

  visit.expectTrouble = (...patterns) => {
    expected.push(...patterns);
  };
  visit.expectOtherOrigins = () => {
    isConfined = false;
  };
  visit.go = async path => {
    await visit.page.goto(path);
    await visit.page.waitForTimeout(50);
  };
  visit.open = async options => {
    const context = await browser.newContext({ baseURL: visit.site.origin, ...defaults, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning')
        trouble.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', error => trouble.push(`${error.name}: ${error.message}`));
    const { origin } = new URL(options.baseURL ?? visit.site.origin);
    page.on('request', request => {
      const url = new URL(request.url());
      visit.requests.push(url.pathname);
      if (isConfined && /^(http|ws)/.test(url.protocol) && url.origin !== origin)
        trouble.push(`A request for ${url.href}`);
    });
    return page;
  };

  beforeAll(async () => {
    [visit.site, browser] = await Promise.all([start(), shareBrowser()]);
  });
  beforeEach(async () => {
    visit.requests.length = 0;
    visit.site.lines.length = 0;
    trouble = [];
    expected = [];
    isConfined = true;
    contexts = [];
    visit.page = await visit.open({});
  });
  afterEach(async () => {
    await Promise.all(contexts.map(context => context.close()));
    expect(trouble.filter(text => !expected.some(pattern => pattern.test(text)))).toEqual([]);
  });
  afterAll(async () => {
    await visit.site?.[Symbol.asyncDispose]();
  });
  return visit;
}

export const withMotion: BrowserContextOptions = { reducedMotion: 'no-preference' };

/** Waits until React has hydrated the page. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('html[data-script=react]').waitFor();
}

/** The smallest interaction that starts hydration. */
export async function point(page: Page): Promise<void> {
  await page.mouse.move(5, 300);
  await page.mouse.move(6, 301);
}

/** Delays every chunk except the boot script until released: a network slower than the visitor. */
export async function delayChunks(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/static\/js\/(?!boot)/, async route => {
    await promise;
    await route.continue().catch(() => undefined);
  });
  return resolve;
}

export async function wake(page: Page): Promise<void> {
  await point(page);
  await hydrated(page);
}
