import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { findCurrentBuild } from '../../core/http/current-build.ts';
import type { Log } from '../../core/log.ts';
import { getLondonDay } from '../../lib/london-day.ts';

/** This file of a build lists the posts it shows and those that wait for their day, each by its file below content/. */
export const postsFile = 'posts.json';
export type PublishedPosts = { shown: string[]; waiting: { file: string; date: string }[] };

const pollMs = 60_000;

export function readPublishedPosts(build: string | undefined): PublishedPosts | undefined {
  try {
    return build ? JSON.parse(readFileSync(join(build, postsFile), 'utf8')) : undefined;
  } catch {
    // Missing or damaged: either way it says nothing of posts.
    return undefined;
  }
}

/** Posts that the build left out and whose day has come since. */
export function listDuePosts(build: string | undefined, now: Date): string[] {
  const today = getLondonDay(now);
  const { waiting = [] } = readPublishedPosts(build) ?? {};
  return waiting.filter(({ date }) => date <= today).map(({ file }) => `content/${file}`);
}

/** `busy`: another process is publishing. Otherwise what went wrong, if anything did. */
export type PublishOutcome = 'published' | 'busy' | { failure: string };

type Options = {
  dist: string;
  clock: Clock;
  log: Log;
  /** Undefined where AUTO_PUBLISH is off. */
  publish: (() => Promise<PublishOutcome>) | undefined;
};

/** Publishes each scheduled post on its day. A failure is logged once and not retried: it needs a person. */
export function watchDuePosts({ dist, clock, log, publish }: Options): Disposable {
  const attempted = new Set<string>();
  let isPublishing = false;

  async function poll(): Promise<void> {
    const posts = listDuePosts(findCurrentBuild(dist), clock.now()).filter(post => !attempted.has(post));
    if (posts.length === 0 || isPublishing) return;
    isPublishing = true;
    const outcome = publish ? await publish() : { failure: 'AUTO_PUBLISH is off' };
    isPublishing = false;
    if (outcome === 'busy') return;
    for (const post of posts) attempted.add(post);
    if (outcome === 'published') return log.info('scheduled posts published', { posts: posts.join(', ') });
    const fix = 'run npm run publish-site to publish them';
    log.warn('scheduled posts not published', { posts: posts.join(', '), reason: outcome.failure, fix });
  }

  poll();
  const timer = setInterval(poll, pollMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** EX_TEMPFAIL: the exit code of a publish while another one runs. */
export const busyExitCode = 75;

/** In a process of its own: a build takes the CPU and memory that visitors need. */
export function publishDuePosts(script: string): Promise<PublishOutcome> {
  return new Promise(resolve => {
    execFile(process.execPath, [script, '--due-posts'], { timeout: maxChildMs }, (error, _, stderr) => {
      if (!error) resolve('published');
      else if (error.code === busyExitCode) resolve('busy');
      else resolve({ failure: stderr.trim() || error.message });
    });
  });
}

const maxChildMs = 10 * 60_000;
