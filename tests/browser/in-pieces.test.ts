import { expect, test } from 'vitest';
import { paths } from '../../src/site/paths.ts';
import { startInPieces } from '../harness/in-pieces.ts';
import { visitAny, withMotion } from '../harness/page.ts';
import { shiftsOn, watchShifts } from '../harness/shifts.ts';

const visit = visitAny(startInPieces, withMotion);
const addresses = [...Object.values(paths), '/newsletter/asked', '/no-such-page'];

test.each([
  { width: 390, height: 844 },
  { width: 1440, height: 1200 },
])(
  'what has been shown of a page stays in its place while the rest comes in, at $width × $height',
  async viewport => {
    const context = (await visit.open({ viewport })).context();
    await watchShifts(context);
    const moved = addresses.map(async path => {
      const page = await context.newPage();
      await page.goto(path, { waitUntil: 'load' });
      await page.waitForTimeout(200);
      expect(await page.evaluate(isShownEarly), path).toBe(true);
      return (await shiftsOn(page)).map(what => `${path}: ${what}`);
    });
    expect((await Promise.all(moved)).flat()).toEqual([]);
  },
);

/** Painted while it came in: else nothing could have moved. */
function isShownEarly(): boolean {
  const [paint] = performance.getEntriesByType('paint');
  const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return paint !== undefined && document !== undefined && paint.startTime < document.responseEnd;
}
