import { type ContentResult, readContent } from '../read-content.ts';
import { readPosts, wordsForPosts } from './read-posts.ts';
import type { Post } from './types.ts';

export type SiteResult = ContentResult & {
  /** Present only when neither pages nor posts have an error. */
  posts?: Post[];
};

/** Without drafts, an error in a draft is a warning: it may be half done. */
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
