import { join } from 'node:path';
import { createNewsletterDrafts, type NewsletterDrafts } from '../../content/newsletter-drafts.ts';
import type { Config } from '../../server/config.ts';

/** In the data folder: a draft changes no page, survives a deployment and is searched by a privacy request. */
export function createDrafts({ dataDir }: Pick<Config, 'dataDir'>): NewsletterDrafts {
  return createNewsletterDrafts(join(dataDir, 'newsletter'));
}
