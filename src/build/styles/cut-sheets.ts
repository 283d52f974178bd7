import type { PageName } from '../../site/paths.ts';
import type { RenderedPage } from '../../site/rendered-page.ts';
import { namesUsed } from './names-used.ts';
import { pruneStyles } from './prune-styles.ts';

/** What each kind of page needs of a sheet: all addresses that one page shows share one. */
export function cutSheets(sheet: string, rendered: RenderedPage[]): Map<PageName, string> {
  const used = new Map<PageName, Set<string>>();
  for (const { page, body } of rendered) used.set(page, (used.get(page) ?? new Set()).union(namesUsed(body)));
  return new Map([...used].map(([page, names]) => [page, pruneStyles(sheet, names)]));
}
