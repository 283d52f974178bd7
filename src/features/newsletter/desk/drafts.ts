import { join } from 'node:path';
import { createNewsletterDrafts, type NewsletterDrafts } from '../newsletter-drafts.ts';

/** In the data folder: a draft changes no page, survives a deployment and is searched by a privacy request. */
export function createDrafts({ dataDir }: { dataDir: string }): NewsletterDrafts {
  return createNewsletterDrafts(join(dataDir, 'newsletter'));
}
