import { join } from 'node:path';
import { fillFacts } from '../facts.ts';
import { type Located, parseMarkdownFile } from '../located.ts';
import type { Prose } from '../prose.ts';
import { check, type Mistake } from '../read.ts';
import type { Content } from '../schemas.ts';
import { readTextFile } from '../text-file.ts';
import { commonArt } from './art-names.ts';
import { findHeadings } from './find-headings.ts';
import { hideCode } from './hide-code.ts';
import { noWords } from './no-words.ts';
import { type PostFields, postSchema } from './post-schema.ts';
import type { Post, PostWords } from './types.ts';

/** Below the folder of the content. */
export const postsFolder = 'blog';

export type PostResult = {
  /** Present only when there is no mistake. */
  post?: Post;
  /** Where its fields stand, as far as they can be read. */
  located?: Located | undefined;
  mistakes: Mistake[];
};

const fileName = /^(\d{4}-\d{2}-\d{2})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;
/** Addresses below /blog/ that are taken. */
const reserved = ['page', 'topics', 'images', 'rss', 'atom', 'index', '404'];
const longestSlug = 80;
/** What search engines show of a title before they cut it off. */
const mostOfTitle = 65;
const wordsPerMinute = 220;

/** One post of content/blog/, by the name of its file. `company` and `words` are missing while their files have mistakes. */
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
  const length = `${title} — ${company?.name}`.length;
  if (company && typeof title === 'string' && length > mostOfTitle)
    atField('title', `is ${length} characters together with ' — ${company.name}', limit ${mostOfTitle}`);
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
    // In the post's own order: its picture names the first.
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

/** Cells and entries of lists stand apart, as whoever reads them keeps them apart. */
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
