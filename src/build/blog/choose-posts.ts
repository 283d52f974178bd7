import { dayOf, isDue, writeDay } from '../../content/blog/dates.ts';
import type { Post } from '../../content/blog/types.ts';
import type { NotedPosts } from './due-posts.ts';
import { highlight } from './highlight.ts';

type Chosen = {
  shown: Post[];
  noted: NotedPosts;
  early: string[];
};

export function choosePosts(posts: Post[], now: Date): Chosen {
  const today = dayOf(now);
  const shown = posts.filter(post => isDue(post, today));
  const waiting = posts.filter(post => !post.isDraft && !isDue(post, today));
  return {
    shown: shown.map(post => ({ ...post, body: highlight(post.body) })),
    noted: {
      shown: shown.map(({ file }) => file),
      waiting: waiting.map(({ file, date }) => ({ file, date })),
    },
    early: [
      ...waiting.map(
        ({ file, date }) => `content/${file}: is dated ${writeDay(date)}, so this build leaves it out`,
      ),
      ...shown.flatMap(({ file, updated }) =>
        updated && updated > today
          ? `content/${file}: says that it was updated on ${writeDay(updated)}, which is to come`
          : [],
      ),
    ],
  };
}
