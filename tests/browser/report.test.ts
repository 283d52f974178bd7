import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '../../src/cli/inbox/report.ts';
import { wire } from '../../src/server/wire.ts';
import { launchBrowser } from '../harness/browser.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';
import { addReportData } from '../harness/report.ts';
import { collectLog, root, testConfig } from '../harness/site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'wardhouse-report-'));
let browser: Browser;

beforeAll(async () => {
  const database = (await databases[0]?.create()) as TestDatabase;
  await write(database, 'empty.html');
  await addReportData(database);
  await write(database, 'full.html');
  await database.remove();
  browser = await launchWithFonts();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  { name: 'empty.html', tables: 0 },
  { name: 'full.html', tables: 5 },
])('the report, $name', ({ name, tables }) => {
  test('makes no request, logs no error, and fits every width', async () => {
    const { page, requests, trouble } = await open(name);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBe(width);
    }
    await page.close();
    expect(requests).toEqual([expect.stringMatching(`${name}$`)]);
    expect(trouble).toEqual([]);
  });

  test('has no axe violations, and each table row has its bar', async () => {
    const { page } = await open(name);
    expect(await page.locator('main section').count()).toBe(5);
    expect(await page.locator('table').count()).toBe(tables);
    expect(await page.locator('tbody tr:not(:has(meter))').count()).toBe(0);
    if (tables > 0) expect(await readBars(page)).toEqual([0, 1, 6]);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
      );
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([]);
    }
    await page.close();
  });
});

test("the report's CSP blocks injected scripts, styles and requests", async () => {
  const parts = [
    '<script>broken = 1</script>',
    '<style>h1 { display: none }</style>',
    '<b style="color: red" onclick="broken = 1">a</b>',
    '<img src="https://elsewhere.example/a.png">',
    '<iframe src="https://elsewhere.example"></iframe>',
  ];
  const full = readFileSync(join(folder, 'full.html'), 'utf8');
  writeFileSync(join(folder, 'touched.html'), full.replace('</main>', `${parts.join('')}</main>`));
  const { page, trouble } = await open('touched.html');
  await page.locator('b').click();
  // The third has two violations.
  await expect.poll(() => trouble).toHaveLength(parts.length + 1);
  for (const words of trouble) expect(words).toContain('Content Security Policy');
  expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  expect(await page.locator('h1').isVisible()).toBe(true);
  await page.close();
});

/** The bars of the weeks, relative to the largest. */
function readBars(page: Page): Promise<number[]> {
  return page
    .locator('section:first-of-type meter')
    .evaluateAll(meters => (meters as HTMLMeterElement[]).map(({ value }) => value));
}

async function write(database: TestDatabase, name: string): Promise<void> {
  const { log } = collectLog();
  await using wired = await wire(testConfig(database.env), { log });
  await report(wired, join(folder, name), {});
}

async function open(name: string): Promise<{ page: Page; requests: string[]; trouble: string[] }> {
  const page = await browser.newPage();
  const requests: string[] = [];
  const trouble: string[] = [];
  page.on('request', request => requests.push(request.url()));
  page.on('console', message => trouble.push(message.text()));
  page.on('pageerror', error => trouble.push(error.message));
  await page.goto(pathToFileURL(join(folder, name)).href);
  return { page, requests, trouble };
}

/** The page uses a system font, which the packaged browser finds only with this configuration. */
async function launchWithFonts(): Promise<Browser> {
  const { FONTCONFIG_PATH: before } = process.env;
  writeFileSync(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${join(root, '.cache')}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}</cachedir></fontconfig>`,
  );
  process.env.FONTCONFIG_PATH = folder;
  try {
    return await launchBrowser();
  } finally {
    if (before === undefined) delete process.env.FONTCONFIG_PATH;
    else process.env.FONTCONFIG_PATH = before;
  }
}
