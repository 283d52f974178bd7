import type { BuildPart } from './core/content/build-part.ts';
import { auditBuild } from './features/audit/build.ts';
import { blogBuild } from './features/blog/build.ts';
import { newsletterBuild } from './features/newsletter/build.ts';
import { sampleReportBuild } from './features/sample-report/build.ts';
import { siteBuild } from './features/site/build.ts';
import type { Content } from './features.content.ts';

/** What each feature does when the site is built. Apart from src/features.site.ts: it imports what draws and writes. */
export const buildParts: readonly BuildPart<Content>[] = [
  siteBuild,
  newsletterBuild,
  sampleReportBuild,
  blogBuild,
  auditBuild,
];
