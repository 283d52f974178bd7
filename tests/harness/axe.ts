import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The accessibility violations of a page as it is now, one line per element. */
export async function findAxeViolations(page: Page, selector = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(async selector => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const { violations } = await axe.run(selector, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`),
    );
  }, selector);
}
