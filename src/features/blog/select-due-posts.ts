import { formatDay, getLondonDay, isDue } from '../../lib/london-day.ts';
import type { Post } from './blog-types.ts';
import type { PublishedPosts } from './due-posts.ts';
import { highlight } from './highlight.ts';

export function selectDuePosts(posts: Post[], now: Date) {
  const today = getLondonDay(now);
  const shown = posts.filter(post => isDue(post, today));
  const waiting = posts.filter(post => !post.isDraft && !isDue(post, today));
  return {
    shown: shown.map(post => ({ ...post, body: highlight(post.body) })),
    publishedPosts: {
      shown: shown.map(({ file }) => file),
      waiting: waiting.map(({ file, date }) => ({ file, date })),
    } satisfies PublishedPosts,
    dateWarnings: [
      ...waiting.map(
        ({ file, date }) => `content/${file}: is dated ${formatDay(date)}, so this build leaves it out`,
      ),
      ...shown.flatMap(({ file, updated }) =>
        updated && updated > today
          ? `content/${file}: has an updated date of ${formatDay(updated)}, which is in the future`
          : [],
      ),
    ],
  };
}
