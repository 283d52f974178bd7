import type { BlogView } from '../blog-types.ts';
import { Component as Blog } from './blog.tsx';
import { BlogMeta } from './blog-meta.tsx';
import { ListPage } from './list-page.tsx';
import { PostPage } from './post-page.tsx';

export function Component({ view }: { view: BlogView }) {
  return (
    <Blog>
      <BlogMeta view={view} />
      {view.kind === 'list' ? <ListPage view={view} /> : <PostPage view={view} />}
    </Blog>
  );
}
