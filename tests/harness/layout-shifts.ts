import type { BrowserContext, Page } from 'playwright-core';

/** Records the layout shifts of every page of a context. */
export async function recordLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch);
}

/** The layout shifts of a page, with the elements that moved. */
export function readLayoutShifts(page: Page): Promise<string[]> {
  return page.evaluate('shifts');
}

/** The sum of their scores. */
export function sumLayoutShifts(shifts: string[]): number {
  return shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);
}

function watch(): void {
  const shifts: string[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver(list => {
    for (const { value, startTime, sources } of list.getEntries() as unknown as Shift[]) {
      const moved = sources.map(({ node }) => `${node?.nodeName} ${node?.className}`);
      shifts.push(`${value} at ${Math.round(startTime)} ms: ${moved.join(', ')}`);
    }
  }).observe({ type: 'layout-shift' as 'mark', buffered: true });
}

type Shift = PerformanceEntry & {
  value: number;
  sources: { node: { nodeName: string; className?: string } | null }[];
};
