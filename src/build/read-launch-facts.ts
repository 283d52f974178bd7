import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSite } from '../content/read-site.ts';
import { securityTxtPath } from '../server/check-security-txt.ts';
import { findCurrentBuild } from '../server/current-build.ts';
import type { CheckContext } from '../server/launch/check.ts';
import { readPublishedPosts } from './blog/due-posts.ts';
import type { BuildConfig } from './create-page-settings.ts';
import { describeOutdatedBuild, fingerprintFile } from './fingerprint.ts';

type LaunchFacts = Pick<
  CheckContext,
  'siteContent' | 'builtAt' | 'outdatedReason' | 'securityTxt' | 'publishedPosts'
>;

/** What the launch checks need to know of content/ and of the published build. */
export function readLaunchFacts(root: string, config: BuildConfig): LaunchFacts {
  const build = findCurrentBuild(join(root, 'dist'));
  const securityTxt = build && join(build, 'site', securityTxtPath);
  return {
    siteContent: readSite(join(root, 'content')),
    builtAt: findBuildTime(build),
    outdatedReason: describeOutdatedBuild(root, build, config),
    securityTxt: securityTxt && existsSync(securityTxt) ? readFileSync(securityTxt, 'utf8') : undefined,
    publishedPosts: readPublishedPosts(build),
  };
}

export function findBuildTime(build: string | undefined): Date | undefined {
  return build ? statSync(join(build, fingerprintFile)).mtime : undefined;
}
