import { blog } from 'content:blog';
import type { PostSummary, Topic } from '../blog-types.ts';
import { listPath } from '../contract.ts';

export function PostByline({ post }: { post: PostSummary }) {
  const { date, updated, minutes, isDraft, isScheduled } = post;
  const day = <time dateTime={date}>{formatDate(date)}</time>;
  return (
    <p className="flex flex-wrap items-center gap-x-5 gap-y-1.5 font-mono text-sm text-muted">
      {isDraft ? <span className={labelClass}>{blog.post.draft}</span> : null}
      {isScheduled ? (
        <span className={labelClass}>
          {blog.post.scheduled} {day}
        </span>
      ) : (
        day
      )}
      {updated ? (
        <span>
          {blog.post.updated} <time dateTime={updated}>{formatDate(updated)}</time>
        </span>
      ) : null}
      <span>{formatReadingTime(minutes)}</span>
    </p>
  );
}

const labelClass = 'rounded-field border-2 border-attention px-2.5 text-attention';

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function formatDate(day: string): string {
  return dateFormat.format(new Date(`${day}T00:00:00Z`));
}

export function formatReadingTime(minutes: number): string {
  return blog.post.minutes.replace('{number}', String(minutes));
}

export function TopicLinks({ topics }: { topics: Topic[] }) {
  return (
    <ul aria-label={blog.post.topics} className="relative mt-3 flex w-fit flex-wrap gap-x-5 print:hidden">
      {topics.map(({ slug, name }) => (
        <li key={slug}>
          <a
            className="inline-flex min-h-11 min-w-11 items-center text-sm text-accent underline decoration-edge underline-offset-6 hover:decoration-accent"
            href={listPath(slug)}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
