import type { NotedPosts } from '../../build/blog/due-posts.ts';
import type { SiteResult } from '../../content/blog/read-site.ts';
import type { Config } from '../../server/config.ts';
import type { Wired } from '../../server/wire.ts';
import type { Network } from './network.ts';

/** `must`: without it visitors are misled, unheard or unprotected. `should`: you will miss it later. */
export type Level = 'must' | 'should';
export type State = 'ready' | 'missing' | 'not checked';

export type Finding = { state: State; found: string; level?: Level };

type Look = (facts: Facts) => Finding | Promise<Finding>;

export type Check = {
  name: string;
  level: Level;
  why: string;
  /** Left out for a static site. */
  isOfServer?: boolean;
  look: Look;
};

export type Facts = {
  config: Config;
  now: Date;
  words: SiteResult;
  desk: Desk;
  network: Network;
  builtAt: Date | undefined;
  securityTxt?: string | undefined;
  notedPosts?: NotedPosts | undefined;
};

export type Desk =
  | Pick<Wired, 'store' | 'receivers' | 'lowSpace' | 'clockGuard'>
  | { why: string; isBroken: boolean };

export function must(name: string, why: string, look: Look): Check {
  return { name, level: 'must', why, look };
}

export function should(name: string, why: string, look: Look): Check {
  return { name, level: 'should', why, look };
}

export function ofServer(...checks: Check[]): Check[] {
  return checks.map(check => ({ ...check, isOfServer: true }));
}

export function ready(found: string): Finding {
  return { state: 'ready', found };
}

export function missing(found: string, level?: Level): Finding {
  return { state: 'missing', found, ...(level && { level }) };
}

export function notChecked(found: string): Finding {
  return { state: 'not checked', found };
}
