import type { BlogView, Post } from '../../content/blog/types.ts';
import type { Content } from '../../content/schemas.ts';
import { highlight } from './highlight.ts';
import { planBlog } from './plan-blog.ts';

/** Every page of the blog as its owner sees it while writing: drafts and posts of days to come are among them. */
export function createDevViews(): (content: Content, posts: Post[]) => BlogView[] {
  let made: { content: Content; posts: Post[]; views: BlogView[] } | undefined;
  return (content, posts) => {
    if (made?.content === content && made.posts === posts) return made.views;
    const views = planBlog(
      posts.map(post => ({ ...post, body: highlight(post.body) })),
      content.blog,
    );
    made = { content, posts, views };
    return views;
  };
}
