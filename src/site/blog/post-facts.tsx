import blog from 'content:blog';
import type { PostSummary } from '../../content/blog/types.ts';
import { longDay, readingTime } from './words.ts';

/** When a post was written and how long it takes: one line of small print. */
export function PostFacts({ post }: { post: PostSummary }) {
  const { date, updated, minutes, isDraft } = post;
  return (
    <p className="flex flex-wrap items-center gap-x-5 gap-y-1.5 font-mono text-sm text-muted">
      {isDraft ? (
        <span className="rounded-field border-2 border-attention px-2.5 text-attention">
          {blog.post.draft}
        </span>
      ) : null}
      <time dateTime={date}>{longDay(date)}</time>
      {updated ? (
        <span>
          {blog.post.updated} <time dateTime={updated}>{longDay(updated)}</time>
        </span>
      ) : null}
      <span>{readingTime(minutes)}</span>
    </p>
  );
}
