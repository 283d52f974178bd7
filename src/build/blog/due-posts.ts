import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getLondonDay } from '../../content/blog/publication-dates.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

export const postsFile = 'posts.json';
export type PublishedPosts = { shown: string[]; waiting: { file: string; date: string }[] };

const hourMs = 60 * 60_000;

export function readPublishedPosts(outDir: string): PublishedPosts | undefined {
  try {
    return JSON.parse(readFileSync(join(outDir, postsFile), 'utf8'));
  } catch {
    return undefined;
  }
}

export function watchDuePosts(
  published: PublishedPosts | undefined,
  { clock, log }: { clock: Clock; log: Log },
): Disposable {
  let waiting = published?.waiting ?? [];

  function warnOfDuePosts(): void {
    const today = getLondonDay(clock.now());
    for (const { file, date } of waiting.filter(post => post.date <= today)) {
      const why = "the build was made before its day: run 'npm run build' and restart";
      log.warn('post due and not shown', { post: `content/${file}`, date, why });
    }
    waiting = waiting.filter(post => post.date > today);
  }

  warnOfDuePosts();
  const timer = setInterval(warnOfDuePosts, hourMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
