import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayOf } from '../../content/blog/days.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/** Beside the site in a build: which posts it shows, and which wait for their day. Both by their file below content/. */
export const postsFile = 'posts.json';
export type NotedPosts = { shown: string[]; waiting: { file: string; date: string }[] };

const hourMs = 60 * 60_000;

/** Nothing where there is no build. */
export function readNotedPosts(outDir: string): NotedPosts | undefined {
  try {
    return JSON.parse(readFileSync(join(outDir, postsFile), 'utf8'));
  } catch {
    // Not there, or not whole: either way it tells of no post.
    return undefined;
  }
}

/** Tells once of each post whose day has come since the build was made. Only a new build shows it. */
export function watchDuePosts(
  noted: NotedPosts | undefined,
  { clock, log }: { clock: Clock; log: Log },
): Disposable {
  let waiting = noted?.waiting ?? [];

  function look(): void {
    const today = dayOf(clock.now());
    for (const { file, date } of waiting.filter(post => post.date <= today)) {
      const why = "the build was made before its day: run 'npm run build' and restart";
      log.warn('post due and not shown', { post: `content/${file}`, date, why });
    }
    waiting = waiting.filter(post => post.date > today);
  }

  look();
  const timer = setInterval(look, hourMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
