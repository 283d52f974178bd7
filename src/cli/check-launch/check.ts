import type { PublishedPosts } from '../../build/blog/due-posts.ts';
import type { SiteResult } from '../../content/blog/read-site.ts';
import type { Config } from '../../server/config.ts';
import type { Services } from '../../server/wire.ts';
import type { Network } from './network.ts';

export type Level = 'must' | 'should';
export type State = 'ready' | 'missing' | 'not checked';

export type CheckResult = { state: State; found: string; level?: Level };

type RunCheck = (facts: Facts) => CheckResult | Promise<CheckResult>;

export type Check = {
  name: string;
  level: Level;
  reason: string;
  needsServer?: boolean;
  run: RunCheck;
};

export type Facts = {
  config: Config;
  now: Date;
  siteContent: SiteResult;
  site: SiteState;
  network: Network;
  builtAt: Date | undefined;
  staleBuild: string | undefined;
  securityTxt?: string | undefined;
  publishedPosts?: PublishedPosts | undefined;
};

export type SiteState =
  | Pick<Services, 'domainDeps' | 'database' | 'checkDiskSpace' | 'clockGuard'>
  | { reason: string; isBroken: boolean };

export function must(name: string, reason: string, run: RunCheck): Check {
  return { name, level: 'must', reason, run };
}

export function should(name: string, reason: string, run: RunCheck): Check {
  return { name, level: 'should', reason, run };
}

export function serverOnly(...checks: Check[]): Check[] {
  return checks.map(check => ({ ...check, needsServer: true }));
}

export function ready(found: string): CheckResult {
  return { state: 'ready', found };
}

export function missing(found: string, level?: Level): CheckResult {
  return { state: 'missing', found, ...(level && { level }) };
}

export function notChecked(found: string): CheckResult {
  return { state: 'not checked', found };
}
