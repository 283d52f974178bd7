import type { NotedPosts } from '../../build/blog/due-posts.ts';
import type { SiteResult } from '../../content/blog/read-site.ts';
import type { Config } from '../../server/config.ts';
import type { Wired } from '../../server/wire.ts';
import type { Network } from './network.ts';

/** `must`: without it visitors are misled, unheard or unprotected. `should`: you will miss it later. */
export type Level = 'must' | 'should';
export type State = 'ready' | 'missing' | 'not checked';

/** What was found and, where it is missing, what to do. */
export type Finding = { state: State; found: string; level?: Level };

/** One line of the list. A later part of the house adds its own to a file in lines/, or a file of its own there. */
export type Check = {
  name: string;
  level: Level;
  /** What goes wrong without it. */
  why: string;
  /** Of the server alone: a site on a host without one has no such line. */
  isOfServer?: boolean;
  /** Whatever it throws makes the line 'not checked', with its reason. */
  look(facts: Facts): Finding | Promise<Finding>;
};

export type Facts = {
  config: Config;
  now: Date;
  words: SiteResult;
  desk: Desk;
  network: Network;
  /** When the site was built last. */
  builtAt: Date | undefined;
  /** The security.txt of that build. */
  securityTxt?: string | undefined;
  /** Which posts that build shows. */
  notedPosts?: NotedPosts | undefined;
};

/** The data as the server left it: there is none before its first start. */
export type Desk = Pick<Wired, 'store' | 'receivers' | 'lowSpace'> | { why: string; isBroken: boolean };

export function ready(found: string): Finding {
  return { state: 'ready', found };
}

export function missing(found: string, level?: Level): Finding {
  return { state: 'missing', found, ...(level && { level }) };
}

export function notChecked(found: string): Finding {
  return { state: 'not checked', found };
}

export function daysBetween(from: Date | string, to: Date): number {
  return Math.floor((to.getTime() - new Date(from).getTime()) / 86_400_000);
}
