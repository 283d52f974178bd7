import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { readLayoutShifts, recordLayoutShifts, sumLayoutShifts } from '../harness/layout-shifts.ts';
import { visitAny, withMotion } from '../harness/page.ts';
import { startStreamingSite } from '../harness/streaming-site.ts';

const visit = visitAny(startStreamingSite, withMotion);
const addresses = [...Object.values(paths), '/newsletter/asked', '/no-such-page'];

test.each([
  { width: 390, height: 844 },
  { width: 1440, height: 1200 },
])(
  'there is hardly any layout shift while the HTML arrives in pieces, at $width × $height',
  async viewport => {
    const context = (await visit.open({ viewport })).context();
    await recordLayoutShifts(context);
    async function measureShift(path: string): Promise<void> {
      const page = await context.newPage();
      await page.goto(path, { waitUntil: 'load' });
      await page.waitForTimeout(200);
      expect(await page.evaluate(wasPaintedEarly), path).toBe(true);
      const shifts = await readLayoutShifts(page);
      expect(sumLayoutShifts(shifts), `${path}\n${shifts.join('\n')}`).toBeLessThanOrEqual(0.01);
      await page.close();
    }
    // A browser opens six connections to a host: a page and its font need two.
    for (let at = 0; at < addresses.length; at += 3)
      await Promise.all(addresses.slice(at, at + 3).map(measureShift));
  },
);

/** Whether the page was painted while it arrived: otherwise nothing could shift. */
function wasPaintedEarly(): boolean {
  const [paint] = performance.getEntriesByType('paint');
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return paint !== undefined && document !== undefined && paint.startTime < document.responseEnd;
}
