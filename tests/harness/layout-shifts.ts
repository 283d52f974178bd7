import type { BrowserContext, Page } from 'playwright-core';

/** Every page of a context writes down from then on what moves by itself. */
export async function recordLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch);
}

/** What has moved on a page, and from where to where. */
export function readLayoutShifts(page: Page): Promise<string[]> {
  return page.evaluate('shifts');
}

/** The score of all of them together. */
export function sumLayoutShifts(shifts: string[]): number {
  return shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);
}

function watch(): void {
  const shifts: string[] = [];
  Object.assign(globalThis, { shifts });
  const said = ({ x, y, width, height }: Rect) => [x, y, width, height].map(Math.round).join(' ');
  new PerformanceObserver(list => {
    for (const { value, startTime, sources } of list.getEntries() as unknown as Shift[]) {
      const moved = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${node?.nodeName} ${node?.className} from ${said(previousRect)} to ${said(currentRect)}`,
      );
      shifts.push(`${value} at ${Math.round(startTime)} ms: ${moved.join(', ')}`);
    }
  }).observe({ type: 'layout-shift' as 'mark', buffered: true });
}

type Rect = { x: number; y: number; width: number; height: number };
type Source = {
  node: { nodeName: string; className?: string } | null;
  previousRect: Rect;
  currentRect: Rect;
};
type Shift = PerformanceEntry & { value: number; sources: Source[] };
