import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Located } from '../located.ts';
import type { Mistake } from '../read.ts';
import type { Content } from '../schemas.ts';
import { postsFolder, readPost } from './read-post.ts';
import type { Post, PostWords } from './types.ts';

export type PostsResult = {
  /** Newest first. Present only when there is no mistake. */
  posts?: Post[];
  mistakes: Mistake[];
};

/** Every post of content/blog/, those that are not to be shown yet included. Each mistake is told, file by file. */
export function readPosts(
  folder: string,
  company: Content['company'] | undefined,
  words: PostWords | undefined,
): PostsResult {
  const names = listPostFiles(folder);
  const results = names.map(name => ({ name, ...readPost(folder, name, company, words) }));
  const mistakes = [...results.flatMap(result => result.mistakes), ...findDoubles(results)];
  if (mistakes.length > 0) return { mistakes: mistakes.toSorted(byPlace) };
  const posts = results.flatMap(({ post }) => (post ? [post] : []));
  return { posts: posts.toSorted(newestFirst), mistakes };
}

export function wordsForPosts({ topics, post }: Content['blog']): PostWords {
  return { ...post, topics };
}

/** Pictures lie beside the posts, and a README may. */
export function listPostFiles(folder: string): string[] {
  try {
    return readdirSync(join(folder, postsFolder))
      .filter(name => name.endsWith('.md') && name !== 'README.md' && !name.startsWith('.'))
      .sort();
  } catch (error) {
    // A site without posts has no need of the folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function newestFirst(one: Post, other: Post): number {
  return other.date.localeCompare(one.date) || one.slug.localeCompare(other.slug);
}

function byPlace(one: Mistake, other: Mistake): number {
  return one.file.localeCompare(other.file) || one.line - other.line;
}

/** Addresses, titles and summaries that two posts share. */
function findDoubles(results: { name: string; located?: Located | undefined }[]): Mistake[] {
  const mistakes: Mistake[] = [];
  const seen = new Map<string, string>();
  const see = (name: string, line: number, field: string, value: unknown, reason: (by: string) => string) => {
    if (typeof value !== 'string') return;
    const other = seen.get(`${field} ${value}`);
    if (other) mistakes.push({ file: `${postsFolder}/${name}`, line, field, reason: reason(other) });
    else seen.set(`${field} ${value}`, name);
  };
  for (const { name, located } of results) {
    const slug = name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
    see(name, 1, '', slug, other => `would have the same address as ${other}; name one of them differently`);
    const facts = (located?.value ?? {}) as Record<string, unknown>;
    for (const field of ['title', 'summary']) {
      const told = (other: string) => `is the same as that of ${other}; nobody could tell them apart`;
      see(name, located?.lineOf([field]) ?? 1, field, facts[field], told);
    }
  }
  return mistakes;
}
