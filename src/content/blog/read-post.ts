import { join } from 'node:path';
import { fillFacts } from '../fill-placeholders.ts';
import { findLongTitle } from '../page-meta.ts';
import { type Prose, plainText } from '../prose.ts';
import { check, type Mistake } from '../read-content.ts';
import type { Content } from '../schemas/all-schemas.ts';
import { type Located, parseMarkdownFile } from '../source-positions.ts';
import { readTextFile } from '../text-file.ts';
import { hideCode } from './hide-code.ts';
import { commonArt, type PostFields, postSchema } from './post-schema.ts';
import type { Heading, Post, PostWords } from './types.ts';

export const postsFolder = 'blog';

export type PostResult = {
  post?: Post;
  /** The source positions, as far as the file can be parsed. */
  located?: Located | undefined;
  mistakes: Mistake[];
};

const fileName = /^(\d{4}-\d{2}-\d{2})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;
const reserved = ['page', 'topics', 'images', 'rss', 'atom', 'index', '404'];
const longestSlug = 80;
const wordsPerMinute = 220;

/** `company` and `words` are missing while their files have errors. */
export function readPost(
  folder: string,
  name: string,
  company: Content['company'] | undefined,
  words: PostWords | undefined,
): PostResult {
  const file = `${postsFolder}/${name}`;
  const mistakes: Mistake[] = [];
  const at = (line: number, field: string, reason: string) => mistakes.push({ file, line, field, reason });

  const [, day = '', slug = ''] = fileName.exec(name) ?? [];
  if (!slug) at(1, '', 'needs a name of a day and lower-case words, such as 2026-11-02-what-we-found.md');
  if (slug.length > longestSlug)
    at(1, '', `has a name of ${slug.length} characters after its day, limit ${longestSlug}`);
  if (reserved.includes(slug)) at(1, '', `may not be called '${slug}'; the blog has another page there`);

  const read = readTextFile(join(folder, file));
  if (read.text === undefined) {
    at(read.line, '', read.reason);
    return { mistakes };
  }
  const parsed = parseMarkdownFile(file, read.text);
  mistakes.push(...parsed.syntax);
  const located = fillFacts(withHiddenCode(parsed.located), company, mistakes);
  const schema = postSchema(words ?? noWords, join(folder, postsFolder));
  const fields = check(located, schema, mistakes) as PostFields | undefined;

  const facts = (located?.value ?? {}) as Record<string, unknown>;
  const { title, date, updated } = facts;
  const atField = (field: string, reason: string) => at(located?.lineOf([field]) ?? 1, field, reason);
  const long = findLongTitle(title, company?.name);
  if (long) atField('title', long);
  if (slug && typeof date === 'string' && isDay(date) && date !== day)
    atField('date', `is ${date}, and the file's name says ${day}`);
  if (typeof updated === 'string' && typeof date === 'string' && isDay(updated) && updated < date)
    atField('updated', `is ${updated}, before its date ${date}`);

  if (!fields || mistakes.length > 0) return { located, mistakes };
  const post = makePost(slug, file, fields, words ?? noWords);
  const before = (located?.lineOf(['body']) ?? 1) - 1;
  const pictures = post.pictures.map(one => ({ ...one, line: one.line + before }));
  return { located, mistakes, post: { ...post, pictures } };
}

function makePost(slug: string, file: string, fields: PostFields, { topics }: PostWords): Post {
  const { draft, body, art = commonArt, updated, ...rest } = fields;
  const words = countSpoken(body.prose);
  return {
    ...rest,
    slug,
    file,
    // In the post's own order: the first is on its Open Graph image.
    topics: fields.topics.flatMap(slug => topics.find(topic => topic.slug === slug) ?? []),
    ...(updated !== undefined && { updated }),
    isDraft: draft ?? false,
    art,
    body: body.prose,
    words,
    pictures: body.pictures,
    minutes: Math.max(1, Math.round(words / wordsPerMinute)),
    contents: findHeadings(body.prose),
  };
}

function withHiddenCode(located: Located | undefined): Located | undefined {
  const facts = located?.value;
  if (!located || typeof facts !== 'object' || facts === null || Array.isArray(facts)) return located;
  const { body } = facts as { body?: unknown };
  return typeof body === 'string' ? { ...located, value: { ...facts, body: hideCode(body) } } : located;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function countSpoken(prose: Prose): number {
  const apart = (nodes: Prose): string =>
    nodes
      .map(node => {
        if (typeof node === 'string') return node;
        const isInline = /^(a|em|strong|code|sup|span)$/.test(node[0]);
        const inner = apart(node.slice(2) as Prose);
        return isInline ? inner : ` ${inner} `;
      })
      .join('');
  return apart(prose).split(/\s+/).filter(Boolean).length;
}

function findHeadings(prose: Prose): Heading[] {
  return prose.flatMap(node => {
    if (typeof node === 'string' || (node[0] !== 'h2' && node[0] !== 'h3')) return [];
    const [tag, { id = '' }, ...children] = node;
    return [{ id, words: plainText(children), depth: tag === 'h2' ? 2 : 3 } as const];
  });
}

/** For reading a post while blog.yaml has errors: the post's own errors are reported all the same. */
export const noWords: PostWords = {
  topics: [],
  callouts: { note: '', tip: '', important: '', warning: '', caution: '' },
  table: '',
  code: '',
  footnotes: '',
  backToText: '',
};
