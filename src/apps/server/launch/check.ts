import type { AuditNetwork } from '../../../core/network/network.ts';
import type { SiteResult } from '../../content.ts';
import type { Config } from '../config.ts';
import type { Services } from '../wire.ts';

export type Level = 'required' | 'recommended';
export type State = 'ready' | 'failed' | 'not checked';

/** `detail` says what was found, `advice` what to do about it with files and commands. */
export type CheckResult = { state: State; detail: string; advice?: string; level?: Level };

type RunCheck = (context: CheckContext) => CheckResult | Promise<CheckResult>;

export type Check = {
  name: string;
  level: Level;
  reason: string;
  needsServer?: boolean;
  run: RunCheck;
};

export type CheckContext = {
  config: Config;
  now: Date;
  siteContent: SiteResult;
  site: SiteState;
  network: AuditNetwork;
  builtAt: Date | undefined;
  outdatedReason: string | undefined;
  securityTxt?: string | undefined;
  /** The posts in the build, each by its file below content/. */
  publishedPosts?: { shown: string[] } | undefined;
};

export type SiteState =
  | Pick<Services, 'domainDeps' | 'database' | 'checkDiskSpace' | 'clockGuard'>
  | { reason: string; isBroken: boolean };

export function required(name: string, reason: string, run: RunCheck): Check {
  return { name, level: 'required', reason, run };
}

export function recommended(name: string, reason: string, run: RunCheck): Check {
  return { name, level: 'recommended', reason, run };
}

export function serverOnly(...checks: Check[]): Check[] {
  return checks.map(check => ({ ...check, needsServer: true }));
}

export function ready(detail: string): CheckResult {
  return { state: 'ready', detail };
}

export function failed(detail: string, advice?: string, level?: Level): CheckResult {
  return { state: 'failed', detail, ...(advice && { advice }), ...(level && { level }) };
}

export function notChecked(detail: string, advice?: string): CheckResult {
  return { state: 'not checked', detail, ...(advice && { advice }) };
}
