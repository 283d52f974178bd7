import type { Browser } from 'playwright-core';
import { documentPaths, paths } from '../../../tests/harness/site-paths.ts';
import { openVisitor, type Pointer, type Visitor } from './visitor.ts';
import type { Seen } from './watch.ts';

/** From one page to the next: ms from the click to the first frame with the new heading. */
export type Navigation = { pointer: Pointer; to: string; ms: number };

const slowdown = 4;

/** Once around the site by its links, each page for the first time but the one where it began. */
export async function measureNavigations(
  browser: Browser,
  origin: string,
  pointer: Pointer,
): Promise<Navigation[]> {
  await using visitor = await openVisitor(browser, origin, { pointer, slowdown });
  const { page } = visitor;
  const others = Object.values(paths).filter(path => path !== paths.home && !documentPaths.includes(path));
  await visitor.open(paths.home);
  await visitor.wake();
  const navigations: Navigation[] = [];
  let latest = 0;
  for (const to of [...others, paths.home]) {
    // Not every page links to every other one.
    if ((await page.locator(`a[href="${to}"]:visible`).count()) === 0) continue;
    await visitor.press(`a[href="${to}"]`);
    const seen = await untilPainted(visitor, latest);
    latest = seen.clicked;
    navigations.push({ pointer, to, ms: seen.painted - seen.clicked });
    // The entrance goes on for longer; nothing of it is measured.
    await page.waitForTimeout(1500);
  }
  return navigations;
}

/** The next page after another click than the one before. */
async function untilPainted({ page, read }: Visitor, before: number): Promise<Seen> {
  for (let tries = 0; tries < 200; tries++) {
    const seen = await read();
    if (seen.painted && seen.clicked > before) return seen;
    await page.waitForTimeout(50);
  }
  throw new Error(`${page.url()} shows no new heading`);
}
