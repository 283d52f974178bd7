import type { BlogView } from '../content/blog/types.ts';
import type { PageSettings } from '../site/page-settings.ts';
import { feedPaths, type PageName, pageNames, paths, stepPaths } from '../site/paths.ts';

/** Which pages a build is made of, and the addresses they answer. */
export type PageList = { names: PageName[]; addresses: string[] };

/** What else may be linked to on a site that knows its address. */
export const textFiles: string[] = [...Object.values(feedPaths), '/llms.txt'];

/** A site for hosts without a server has nothing that could confirm an address: the newsletter's own pages are not in it. */
export function listPages({ CONTACT_ENDPOINT }: PageSettings, views: BlogView[] = []): PageList {
  const own = [...new Set<string>([...Object.values(paths), ...views.map(({ path }) => path)])];
  return CONTACT_ENDPOINT
    ? { names: pageNames.filter(name => name !== 'newsletter'), addresses: own }
    : { names: pageNames, addresses: [...own, ...Object.values(stepPaths)] };
}
