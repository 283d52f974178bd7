import { type ContentResult, readContent } from '../read.ts';
import { readPosts, wordsForPosts } from './read-posts.ts';
import type { Post } from './types.ts';

export type SiteResult = ContentResult & {
  /** Present only when neither pages nor posts have a mistake. */
  posts?: Post[];
};

/** The words of every page, and every post: what reads no posts has no need to wait for them. */
export function readSite(folder: string): SiteResult {
  let posts: Post[] | undefined;
  const result = readContent(folder, (company, blog) => {
    const read = readPosts(folder, company, blog && wordsForPosts(blog));
    posts = read.posts;
    return read.mistakes;
  });
  return posts && result.mistakes.length === 0 ? { ...result, posts } : result;
}
