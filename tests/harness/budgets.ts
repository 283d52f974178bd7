import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { type FileEntry, fileTable } from '../../src/core/http/static-files.ts';

/**
 * What a first view may weigh, in bytes as served. The example content leaves about a tenth of each, so that an owner's
 * next service, question or drawing fits.
 */
export const budgets = {
  /** What a server may send before it hears back: ten segments of 1,460 bytes, of which our headers take 1,250. */
  page: 14_600 - 1250,
  pageStyles: 6000,
  /** Not of the first view: what React waits for. */
  allStyles: 12_450,
  boot: 2000,
  /** Of both files; a page in English fetches the first alone. */
  fonts: 24_000,
  sprite: 8000,
  firstView: 110_000,
  firstRequests: 8,
  /** React and the router are 101,000 of it, which no content changes. */
  scripts: 128_000,
} satisfies Record<string, number>;

type Budget = keyof typeof budgets;

const warnAt = 0.95;

/** Beyond the budget the test fails; close to it, a line in the output of the tests says so. */
export function expectWithin(budget: Budget, used: number, what: string = budget): void {
  const limit = budgets[budget];
  const share = `${what} uses ${used} of ${limit} (${((used / limit) * 100).toFixed(1)} %) of the budget '${budget}'`;
  expect(used, share).toBeLessThanOrEqual(limit);
  if (used >= limit * warnAt) process.stderr.write(`Warning: ${share}\n`);
}

/** Every budget that files can tell; what browsers fetch is counted in tests/browser/every-page.test.ts. */
export function checkFileBudgets(build: string, pages: readonly string[]): void {
  const site = join(build, 'site');
  const files = listCurrentFiles(build);
  for (const page of pages) {
    const file = page === '/' ? 'index.html' : `${page.slice(1)}.html`;
    expectWithin('page', countServed(site, file), page);
    const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(readFileSync(join(site, file), 'utf8')) ?? [];
    expect(styles, page).toContain('@font-face');
    expectWithin('pageStyles', brotliCompressSync(styles).length, `the style sheet in ${page}`);
  }
  const measure = (budget: Budget, pattern: RegExp) => {
    const measured = files.filter(file => pattern.test(file));
    expect(measured.length, budget).toBeGreaterThan(0);
    expectWithin(
      budget,
      measured.reduce((sum, file) => sum + countServed(site, file), 0),
    );
  };
  measure('allStyles', /^static\/css\//);
  measure('boot', /^static\/js\/boot-/);
  measure('fonts', /^static\/woff2\//);
  measure('sprite', spriteFile);
}

export const spriteFile = /^static\/svg\/illustrations-/;

/** Without what open pages of the previous build still need. */
export function listCurrentFiles(build: string): string[] {
  const entries: FileEntry[] = JSON.parse(readFileSync(join(build, fileTable), 'utf8'));
  return entries.filter(({ outdatedSince }) => !outdatedSince).map(({ file }) => file);
}

/** Of what the server would send to a browser of today. */
function countServed(site: string, file: string): number {
  const path = join(site, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}
