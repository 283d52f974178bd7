import type { BlogView } from '../../content/blog/types.ts';
import { Component as Place } from '../pages/blog.tsx';
import { BlogHead } from './blog-head.tsx';
import { ListPage } from './list-page.tsx';
import { PostPage } from './post-page.tsx';

/** A page of the blog, for the prerender alone: nothing of this folder is ever sent to a browser as script. */
export function BlogPage({ view }: { view: BlogView }) {
  return (
    <Place>
      <BlogHead view={view} />
      {view.kind === 'list' ? <ListPage view={view} /> : <PostPage view={view} />}
    </Place>
  );
}
