import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ContentError, describeContentError } from '../../core/content/content-error.ts';
import type { ReadFacts, ReadOptions } from '../../core/content/content-part.ts';
import type { ParsedFile } from '../../core/content/source-positions.ts';
import type { Post, PostLabels } from './blog-types.ts';
import { type PostResult, postsFolder, readPost } from './read-post.ts';
import type { BlogTexts } from './schemas/blog.ts';

export type PostsResult = {
  posts?: Post[];
  errors: ContentError[];
  warnings: string[];
};

export function readPosts(
  folder: string,
  facts: ReadFacts,
  labels: PostLabels | undefined,
  { isPreview = false }: ReadOptions = {},
): PostsResult {
  const { names, others, reason } = listPostFiles(join(folder, postsFolder));
  const read = names.map(name => ({ name, ...readPost(folder, name, facts, labels) }));
  const results = read.filter(result => isPreview || !isDraft(result));
  const errors = [...results.flatMap(result => result.errors), ...findDuplicates(results)];
  if (reason) errors.push({ file: postsFolder, line: 1, field: '', reason });
  const leftOut = read.filter(result => !results.includes(result)).flatMap(result => result.errors);
  const warnings = [
    ...leftOut
      .toSorted(byFileAndLine)
      .map(error => `${describeContentError(error)}; the post is a draft and was left out`),
    ...others.map(
      name => `content/${postsFolder}/${name}: is neither a post nor a picture, so it is not published`,
    ),
  ];
  const invalid = new Set(errors.map(({ file }) => file));
  const posts = results.flatMap(({ post }) => (post && !invalid.has(post.file) ? [post] : []));
  return {
    ...((isPreview || errors.length === 0) && { posts: posts.toSorted(newestFirst) }),
    errors: errors.toSorted(byFileAndLine),
    warnings,
  };
}

export function getPostLabels({ topics, post }: BlogTexts): PostLabels {
  return { ...post, topics };
}

const isPost = /\.(mdx?|markdown)(\.txt)?$/i;
const isPicture = /\.(png|jpe?g|webp)$/i;

function listPostFiles(folder: string): { names: string[]; others: string[]; reason?: string } {
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
    if (code === 'ENOENT') return { names: [], others: [] };
    if (code === 'ENOTDIR') return { names: [], others: [], reason: 'is a file, expected a folder of posts' };
    return { names: [], others: [], reason: `cannot be read (${message})` };
  }
}

/** Also one whose YAML cannot be parsed. */
function isDraft({ parsed, isMarkedDraft }: PostResult): boolean {
  if (!parsed) return isMarkedDraft ?? false;
  return (parsed.value as { draft?: unknown } | undefined)?.draft === true;
}

export function newestFirst(one: Post, other: Post): number {
  return other.date.localeCompare(one.date) || one.slug.localeCompare(other.slug);
}

function byFileAndLine(one: ContentError, other: ContentError): number {
  return one.file.localeCompare(other.file) || one.line - other.line;
}

function findDuplicates(results: { name: string; parsed?: ParsedFile | undefined }[]): ContentError[] {
  const errors: ContentError[] = [];
  const seen = new Map<string, string>();
  const addIfDuplicate = (
    name: string,
    line: number,
    field: string,
    value: unknown,
    reason: (other: string) => string,
  ) => {
    if (typeof value !== 'string') return;
    const other = seen.get(`${field} ${value}`);
    const path = field ? { path: [field] } : {};
    if (other) errors.push({ file: `${postsFolder}/${name}`, line, field, reason: reason(other), ...path });
    else seen.set(`${field} ${value}`, name);
  };
  for (const { name, parsed } of results) {
    const slug = name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
    addIfDuplicate(name, 1, '', slug, other => `would have the same address as ${other}; rename one of them`);
    const fields = (parsed?.value ?? {}) as Record<string, unknown>;
    for (const field of ['title', 'summary']) {
      const describe = (other: string) => `is the same as in ${other}; each post needs its own`;
      addIfDuplicate(name, parsed?.lineAt([field]) ?? 1, field, fields[field], describe);
    }
  }
  return errors;
}
