import type { ContentOf, ContentPart } from './core/content/content-part.ts';
import { auditContent } from './features/audit/content.ts';
import { blogContent } from './features/blog/content.ts';
import { messagesContent } from './features/messages/content.ts';
import { newsletterContent } from './features/newsletter/content.ts';
import { sampleReportContent } from './features/sample-report/content.ts';
import { siteContent } from './features/site/content.ts';

/** What each feature has in content/. Apart from src/features.ts: who reads content/ loads no server. */
export const contentParts = [
  siteContent,
  messagesContent,
  newsletterContent,
  blogContent,
  auditContent,
  sampleReportContent,
] as const satisfies readonly ContentPart[];

/** The content of this site, by the names of its files. */
export type Content = ContentOf<typeof contentParts>;
