import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Options = {
  selector?: string;
  /** Half of the work; colours depend on the theme, not on the text. */
  hasContrast?: boolean;
  /** Nothing but colours differs from a state that was looked at. */
  isOnlyContrast?: boolean;
};

/** The accessibility violations of a page as it is now, one line per element. */
export async function findAxeViolations(
  page: Page,
  { selector = 'html', hasContrast = true, isOnlyContrast = false }: Options = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Only rules for media files and for stylesheets that lock the orientation need it.
    preload: false,
    // Only this page has axe: each frame would be waited for, and then left out.
    iframes: false,
    ...(isOnlyContrast
      ? { runOnly: ['color-contrast'] }
      : { rules: { 'color-contrast': { enabled: hasContrast } } }),
  };
  return page.evaluate(
    async ([selector, options]) => {
      const { axe } = globalThis as unknown as { axe: typeof Axe };
      const { violations } = await axe.run(selector, options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`),
      );
    },
    [selector, options] as const,
  );
}
