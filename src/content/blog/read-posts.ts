import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeMistake, type Mistake } from '../read-content.ts';
import type { Content } from '../schemas/all-schemas.ts';
import type { Located } from '../source-positions.ts';
import { postsFolder, readPost } from './read-post.ts';
import type { Post, PostWords } from './types.ts';

export type PostsResult = {
  /** Newest first. Present only when there is no error. */
  posts?: Post[];
  mistakes: Mistake[];
  warnings: string[];
};

/** Drafts and future posts included. Without drafts, an error in one is only a warning. */
export function readPosts(
  folder: string,
  company: Content['company'] | undefined,
  words: PostWords | undefined,
  { withDrafts = true } = {},
): PostsResult {
  const { names, others, reason } = listFiles(join(folder, postsFolder));
  const read = names.map(name => ({ name, ...readPost(folder, name, company, words) }));
  const results = read.filter(({ located }) => withDrafts || !isDraft(located));
  const mistakes = [...results.flatMap(result => result.mistakes), ...findDoubles(results)];
  if (reason) mistakes.push({ file: postsFolder, line: 1, field: '', reason });
  const leftOut = read.filter(result => !results.includes(result)).flatMap(result => result.mistakes);
  const warnings = [
    ...leftOut.toSorted(byPlace).map(mistake => `${describeMistake(mistake)}; it is a draft and left out`),
    ...others.map(name => `content/${postsFolder}/${name}: is no post and no picture, so nothing shows it`),
  ];
  if (mistakes.length > 0) return { mistakes: mistakes.toSorted(byPlace), warnings };
  const posts = results.flatMap(({ post }) => (post ? [post] : []));
  return { posts: posts.toSorted(newestFirst), mistakes, warnings };
}

export function wordsForPosts({ topics, post }: Content['blog']): PostWords {
  return { ...post, topics };
}

/** Includes misnamed posts: `readPost` reports the required name. */
const isPost = /\.(mdx?|markdown)(\.txt)?$/i;
const isPicture = /\.(png|jpe?g|webp)$/i;

/** Pictures lie beside the posts, and a README may. The owner is warned of anything else. */
function listFiles(folder: string): { names: string[]; others: string[]; reason?: string } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name !== 'README.md' && !name.startsWith('.'))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const files = entries.filter(entry => !entry.isDirectory());
    const posts = files.filter(({ name }) => isPost.test(name));
    const others = entries.filter(
      entry => !posts.includes(entry) && (entry.isDirectory() || !isPicture.test(entry.name)),
    );
    return { names: posts.map(({ name }) => name), others: others.map(({ name }) => name) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A site without posts does not need the folder.
    if (code === 'ENOENT') return { names: [], others: [] };
    if (code === 'ENOTDIR') return { names: [], others: [], reason: 'is a file, expected a folder of posts' };
    return { names: [], others: [], reason: `cannot be read (${message})` };
  }
}

function isDraft(located: Located | undefined): boolean {
  return (located?.value as { draft?: unknown } | undefined)?.draft === true;
}

function newestFirst(one: Post, other: Post): number {
  return other.date.localeCompare(one.date) || one.slug.localeCompare(other.slug);
}

function byPlace(one: Mistake, other: Mistake): number {
  return one.file.localeCompare(other.file) || one.line - other.line;
}

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
