import blog from 'content:blog';
import type { Topic } from '../../content/blog/types.ts';
import { listPath } from '../paths.ts';

/** What a post is about, each a way to more of it. */
export function TopicLinks({ topics }: { topics: Topic[] }) {
  return (
    <ul aria-label={blog.post.topics} className="topic-links mt-3 flex flex-wrap gap-x-5 print:hidden">
      {topics.map(({ slug, name }) => (
        <li key={slug}>
          <a className={look} href={listPath(slug)}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

const look =
  'inline-flex min-h-11 min-w-11 items-center text-sm text-accent underline decoration-edge underline-offset-6 hover:decoration-accent';
