import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { securityTxtPath } from '../../core/http/check-security-txt.ts';
import { findCurrentBuild } from '../../core/http/current-build.ts';
import { readSite } from '../content.ts';
import type { CheckContext } from '../server/launch/context.ts';
import type { BuildConfig } from './create-page-settings.ts';
import { describeOutdatedBuild, fingerprintFile } from './fingerprint.ts';

type LaunchFacts = Pick<CheckContext, 'siteContent' | 'build' | 'builtAt' | 'outdatedReason' | 'securityTxt'>;

let last: { key: string; facts: LaunchFacts } | undefined;

/** What the launch checks need to know of content/ and of the published build. The desk asks often, so that it is kept until either changes. */
export function readLaunchFacts(root: string, config: BuildConfig): LaunchFacts {
  const build = findCurrentBuild(join(root, 'dist'));
  const key = JSON.stringify([root, build, listVersions(join(root, 'content'))]);
  if (last?.key !== key) last = { key, facts: readFacts(root, build, config) };
  return last.facts;
}

function listVersions(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => {
    const { size, mtimeMs, ctimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    return `${name} ${size} ${mtimeMs} ${ctimeMs}`;
  });
}

function readFacts(root: string, build: string | undefined, config: BuildConfig): LaunchFacts {
  const securityTxt = build && join(build, 'site', securityTxtPath);
  return {
    siteContent: readSite(join(root, 'content')),
    build,
    builtAt: findBuildTime(build),
    outdatedReason: describeOutdatedBuild(root, build, config),
    securityTxt: securityTxt && existsSync(securityTxt) ? readFileSync(securityTxt, 'utf8') : undefined,
  };
}

export function findBuildTime(build: string | undefined): Date | undefined {
  return build ? statSync(join(build, fingerprintFile)).mtime : undefined;
}
