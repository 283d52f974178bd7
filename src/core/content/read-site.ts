import type { Post } from '../../features/blog/blog-types.ts';
import { getPostLabels, readPosts } from '../../features/blog/read-posts.ts';
import { type ContentResult, type ReadOptions, readContent } from './read-content.ts';

export type SiteResult = Pick<ContentResult, 'content' | 'errors' | 'warnings'> & { posts?: Post[] };

export function readSite(folder: string, options: ReadOptions = {}): SiteResult {
  const { content, validFiles, ...pages } = readContent(folder, options);
  const { brand, company } = validFiles;
  const labels = validFiles.blog && getPostLabels(validFiles.blog);
  const { posts, ...read } = readPosts(folder, { brand, company }, labels, options);
  const errors = [...pages.errors, ...read.errors];
  const warnings = [...pages.warnings, ...read.warnings];
  return content && posts ? { content, posts, errors, warnings } : { errors, warnings };
}
