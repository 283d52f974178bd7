import { audit } from './features/audit/pages.ts';
import { blog } from './features/blog/pages.ts';
import { messages } from './features/messages/pages.ts';
import { newsletter } from './features/newsletter/pages.ts';
import { sampleReport } from './features/sample-report/pages.ts';
import { site } from './features/site/pages.ts';

/** What each feature has of the site, in the order in which pages are listed. It imports no component, so Node reads it too. */
export const siteParts = [site, messages, newsletter, sampleReport, blog, audit] as const;
