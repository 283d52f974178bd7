import type { ReadOptions } from '../core/content/content-part.ts';
import { readContent as readParts } from '../core/content/read-content.ts';
import { readSite as readSiteOfParts, type SiteResult as SiteOf } from '../core/content/read-site.ts';
import { contentParts } from '../features.content.ts';

/** Everything in content/, of all features. */
export const readContent = (folder: string, options?: ReadOptions) =>
  readParts(contentParts, folder, options);

export type SiteResult = SiteOf<typeof contentParts>;

export const readSite = (folder: string, options?: ReadOptions): SiteResult =>
  readSiteOfParts(contentParts, folder, options);
