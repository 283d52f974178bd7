import { type ContentResult, readContent } from '../read-content.ts';
import type { Post } from './blog-types.ts';
import { getPostLabels, readPosts } from './read-posts.ts';

export type SiteResult = ContentResult & {
  posts?: Post[];
};

export function readSite(folder: string, { withDrafts = true } = {}): SiteResult {
  let posts: Post[] | undefined;
  let postWarnings: string[] = [];
  const pages = readContent(folder, (company, blog) => {
    const read = readPosts(folder, company, blog && getPostLabels(blog), { withDrafts });
    posts = read.posts;
    postWarnings = read.warnings;
    return read.errors;
  });
  const result = { ...pages, warnings: [...pages.warnings, ...postWarnings] };
  return posts && result.errors.length === 0 ? { ...result, posts } : result;
}
