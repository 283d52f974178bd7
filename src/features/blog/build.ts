import type { BuildPart, GeneratedFile } from '../../core/content/build-part.ts';
import type { ContentOf } from '../../core/content/content-part.ts';
import type { PageView } from '../../core/content/page-view.ts';
import type { Post, PostView } from './blog-types.ts';
import type { blogContent } from './content.ts';
import { feedPaths } from './contract.ts';
import { renderAtom, renderRss } from './feeds.ts';
import { listPostImages } from './write-post-images.ts';

type Content = ContentOf<[typeof blogContent]>;

export const blogBuild: BuildPart<Content> = {
  name: 'blog',
  listFiles(views, content, siteUrl) {
    const posts = listPosts(views);
    const hasFeeds = siteUrl && views.length > 0;
    return [...(hasFeeds ? listFeeds(content, posts, siteUrl) : []), ...listPostImages(posts)];
  },
};

function listPosts(views: readonly PageView[]): Post[] {
  return views.flatMap(view => ('post' in view ? [(view as PostView).post] : []));
}

function listFeeds(content: Content, posts: Post[], siteUrl: string): GeneratedFile[] {
  return [
    { path: feedPaths.rss, kind: 'feed', make: () => renderRss(content, posts, siteUrl) },
    { path: feedPaths.atom, kind: 'feed', make: () => renderAtom(content, posts, siteUrl) },
  ];
}
