import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { budgets, checkFileBudgets, expectWithin, listCurrentFiles, spriteFile } from './harness/budgets.ts';
import { builtSite } from './harness/site.ts';
import { paths } from './harness/site-paths.ts';

const site = join(builtSite, 'site');
const pages = Object.values(paths);

test('every page, style sheet, font and drawing is within its budget', () => {
  checkFileBudgets(builtSite, pages);
});

test('a budget warns from 95 % and fails beyond 100 %', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expectWithin('boot', budgets.boot * 0.94);
    expect(write).not.toHaveBeenCalled();
    expectWithin('boot', budgets.boot * 0.95);
    expect(write.mock.calls).toEqual([["Warning: boot uses 1900 of 2000 (95.0 %) of the budget 'boot'\n"]]);
    expectWithin('boot', budgets.boot);
    expect(() => expectWithin('boot', budgets.boot + 1)).toThrow(
      "2001 of 2000 (100.0 %) of the budget 'boot'",
    );
  } finally {
    write.mockRestore();
  }
});

test('nothing keeps a page from being painted after one round trip', () => {
  for (const path of pages) {
    const file = path === '/' ? 'index.html' : `${path.slice(1)}.html`;
    const blocking = readFileSync(join(site, file), 'utf8').match(
      /<link rel="stylesheet"(?![^>]* media="print,)|<script(?![^>]* (type="module"|type="application\/))/g,
    );
    expect([path, blocking]).toEqual([path, null]);
  }
});

test('the illustrations of all pages are one file, and not in a script or a page', () => {
  const files = listCurrentFiles(builtSite);
  const sprite = files.find(file => spriteFile.test(file)) ?? expect.unreachable('there is no sprite');
  const drawn = [...readFileSync(join(site, sprite), 'utf8').matchAll(/ d="([^"]{40,})"/g)].map(([, d]) => d);
  expect(drawn.length).toBeGreaterThan(20);
  const others = files
    .filter(file => /^(index\.html|static\/js\/.*\.js)$/.test(file))
    .map(file => readFileSync(join(site, file), 'utf8'));
  expect(drawn.filter(path => others.some(text => text.includes(path as string)))).toEqual([]);
});
