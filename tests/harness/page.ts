import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { FileEntry } from '../../src/core/http/static-files.ts';
import { shareBrowser } from './browser.ts';
import { builtSite, startSite, type TestSite } from './site.ts';

/** Our own server, or a static host. */
type Server = AsyncDisposable & { origin: string; lines: string[] };

type Visit<Site extends Server = TestSite> = {
  site: Site;
  page: Page;
  /** Paths that the page requested, in order. */
  requests: string[];
  /** Console errors and warnings that this test causes on purpose. */
  allowErrors(...patterns: RegExp[]): void;
  /** This test requests another origin on purpose. */
  allowOtherOrigins(): void;
  /** Loads a path in `page` and waits until its boot script has started. */
  open(path: string): Promise<void>;
  /** A page in a context of its own, watched like `page`. */
  newPage(options: BrowserContextOptions): Promise<Page>;
};

/**
 * Gives each test of a file a fresh page on a running site. An unexpected console message, CSP violation,
 * uncaught exception or request to another origin fails the test. Motion is reduced by default, because a click waits
 * for its target to stand still.
 */
export function visitSite(defaults?: BrowserContextOptions): Visit {
  return visitServer(startSite, defaults);
}

export function visitServer<Site extends Server>(
  start: () => Promise<Site>,
  defaults: BrowserContextOptions = { reducedMotion: 'reduce' },
): Visit<Site> {
  const visit = { requests: [] as string[] } as Visit<Site>;
  let browser: Browser;
  let errors: string[] = [];
  let allowed: RegExp[] = [];
  let contexts: BrowserContext[] = [];

  visit.allowErrors = (...patterns) => {
    allowed.push(...patterns);
  };
  visit.allowOtherOrigins = () => visit.allowErrors(/^requested /);
  visit.open = async path => {
    await visit.page.goto(path);
    await visit.page.locator('html[data-script]').waitFor();
  };
  visit.newPage = async options => {
    const context = await browser.newContext({ baseURL: visit.site.origin, ...defaults, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    watchPage(page, options.baseURL ?? visit.site.origin, errors);
    page.on('request', request => visit.requests.push(new URL(request.url()).pathname));
    return page;
  };

  beforeAll(async () => {
    [visit.site, browser] = await Promise.all([start(), shareBrowser()]);
  });
  beforeEach(async () => {
    visit.requests.length = 0;
    visit.site.lines.length = 0;
    errors = [];
    allowed = [];
    contexts = [];
    visit.page = await visit.newPage({});
  });
  afterEach(async () => {
    await Promise.all(contexts.map(context => context.close()));
    expect(errors.filter(text => !allowed.some(pattern => pattern.test(text)))).toEqual([]);
  });
  afterAll(async () => {
    await visit.site?.[Symbol.asyncDispose]();
  });
  return visit;
}

/** Collects what a page must not do: log an error, throw, open a dialog or request another origin. */
export function watchPage(page: Page, origin: string, problems: string[] = []): string[] {
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type()))
      problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', error => problems.push(String(error)));
  page.on('dialog', dialog => {
    problems.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('request', request => {
    const url = new URL(request.url());
    if (/^(http|ws)/.test(url.protocol) && url.origin !== origin) problems.push(`requested ${url.href}`);
  });
  return problems;
}

export const withMotion: BrowserContextOptions = { reducedMotion: 'no-preference' };

export async function hydrate(page: Page): Promise<void> {
  await movePointer(page);
  await waitForHydration(page);
}

/** The smallest interaction that starts hydration. */
export async function movePointer(page: Page): Promise<void> {
  await page.mouse.move(5, 300);
  await page.mouse.move(6, 301);
}

export async function waitForHydration(page: Page): Promise<void> {
  await page.locator('html[data-script=react]').waitFor();
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

/** Waits until the page has painted and started what it was about to start. A busy page is never idle. */
export async function waitForIdle(page: Page): Promise<void> {
  await page.evaluate(`new Promise(done => {
    requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 50), { timeout: 500 }));
  })`);
}

/** The posts of the tests' build; the owner's blog may have none. */
export function listPosts(): { path: string; html: string }[] {
  const entries: FileEntry[] = JSON.parse(readFileSync(join(builtSite, 'files.json'), 'utf8'));
  return entries
    .filter(({ path }) => /^\/blog\/[\w-]+$/.test(path))
    .map(({ path, file }) => ({ path, html: readFileSync(join(builtSite, 'site', file), 'utf8') }));
}
