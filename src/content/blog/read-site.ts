import { type ContentResult, readContent } from '../read.ts';
import { readPosts, wordsForPosts } from './read-posts.ts';
import type { Post } from './types.ts';

export type SiteResult = ContentResult & {
  /** Present only when neither pages nor posts have a mistake. */
  posts?: Post[];
};

/**
 * The words of every page, and every post: what reads no posts has no need to wait for them. What nobody will see yet may
 * be half done: without drafts, a mistake in one is a warning.
 */
export function readSite(folder: string, { withDrafts = true } = {}): SiteResult {
  let posts: Post[] | undefined;
  let ofPosts: string[] = [];
  const pages = readContent(folder, (company, blog) => {
    const read = readPosts(folder, company, blog && wordsForPosts(blog), { withDrafts });
    posts = read.posts;
    ofPosts = read.warnings;
    return read.mistakes;
  });
  const result = { ...pages, warnings: [...pages.warnings, ...ofPosts] };
  return posts && result.mistakes.length === 0 ? { ...result, posts } : result;
}
