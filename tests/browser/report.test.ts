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
import { fillForReport } from '../harness/report.ts';
import { collectLog, root, testConfig } from '../harness/site.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'wardhouse-report-'));
let browser: Browser;

beforeAll(async () => {
  const database = (await databases[0]?.create()) as TestDatabase;
  await write(database, 'empty.html');
  await fillForReport(database);
  await write(database, 'full.html');
  await database.remove();
  browser = await launchWithFonts();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  { name: 'empty.html', pictures: 0 },
  { name: 'full.html', pictures: 10 },
])('the report, $name', ({ name, pictures }) => {
  test('asks for nothing, complains of nothing, and fits every width', async () => {
    const { page, requests, trouble } = await open(name);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBe(width);
      expect(await page.locator('figure > svg:visible').count()).toBe(pictures);
    }
    await page.close();
    expect(requests).toEqual([expect.stringMatching(`${name}$`)]);
    expect(trouble).toEqual([]);
  });

  test('is clean for axe, each picture named and described, each with its table', async () => {
    const { page } = await open(name);
    expect(await page.locator('main section').count()).toBe(10);
    for (const section of await page.locator('main section:has(figure)').all()) {
      const heading = await section.getByRole('heading', { level: 2 }).innerText();
      const picture = section.getByRole('img', { name: heading });
      expect((await picture.locator('desc').textContent())?.length).toBeGreaterThan(10);
      await section.getByText('The same as a table').click();
      expect(await section.locator('details tbody tr').first().isVisible()).toBe(true);
    }
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

  test('on paper is black on white, cuts no picture, and leaves no sheet empty', async () => {
    const { page } = await open(name);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    await page.setViewportSize({ width: 660, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    const height = await page.evaluate(() => document.body.getBoundingClientRect().height);
    // A4 less its margins; what is kept together may leave half a sheet open, not a whole one.
    expect(sheets).toBeLessThanOrEqual(Math.ceil(height / 990) + 2);
    expect(sheets).toBeGreaterThanOrEqual(Math.floor(height / 990));
    const kept = await page
      .locator('section')
      .evaluateAll(sections => sections.map(section => getComputedStyle(section).breakInside));
    expect([...new Set(kept)]).toEqual(['avoid']);
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toBe('rgb(255, 255, 255)');
    expect(await page.locator('summary:visible, svg.narrow:visible').count()).toBe(0);
    await page.close();
  });
});

test('whatever gets into the report, its policy lets it neither run nor look nor ask', async () => {
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
  // The third has two faults.
  await expect.poll(() => trouble).toHaveLength(parts.length + 1);
  for (const words of trouble) expect(words).toContain('Content Security Policy');
  expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  expect(await page.locator('h1').isVisible()).toBe(true);
  await page.close();
});

async function write(database: TestDatabase, name: string): Promise<void> {
  const { log } = collectLog();
  await using wired = await wire(testConfig(database.env), { log });
  await report(wired, { given: [join(folder, name)], values: { force: false, json: false } });
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

/** The page takes the system's font, and the browser of the package finds none: here it is shown the one it brings. */
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
