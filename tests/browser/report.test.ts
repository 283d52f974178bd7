import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { report } from '../../src/cli/inbox/report.ts';
import { wire } from '../../src/server/wire.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { databases, type TestDatabase } from '../harness/databases.ts';
import { visitSite } from '../harness/page.ts';
import { addReportData } from '../harness/report.ts';
import { collectLog, testConfig } from '../harness/site.ts';

const visit = visitSite();
const folder = mkdtempSync(join(tmpdir(), 'wardhouse-report-'));

beforeAll(async () => {
  const database = (await databases[0]?.create()) as TestDatabase;
  await write(database, 'empty.html');
  await addReportData(database);
  await write(database, 'full.html');
  await database.remove();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function write(database: TestDatabase, name: string): Promise<void> {
  const { log } = collectLog();
  await using wired = await wire(testConfig(database.env), { log });
  await report(wired, join(folder, name), {});
}

test.each(['empty.html', 'full.html'])(
  '%s makes no request, fits every width, and is accessible',
  async name => {
    const { page } = visit;
    await page.goto(pathToFileURL(join(folder, name)).href);
    expect(await page.locator('tbody tr:not(:has(meter))').count()).toBe(0);
    if (name === 'full.html') {
      const bars = page.locator('section:first-of-type meter');
      expect(await bars.evaluateAll(all => (all as HTMLMeterElement[]).map(({ value }) => value))).toEqual([
        0, 1, 6,
      ]);
    }
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBe(width);
    }
    expect(await findAxeViolations(page)).toEqual([]);
    expect(visit.requests).toHaveLength(1);
  },
);
