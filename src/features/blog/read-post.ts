import { join } from 'node:path';
import { linkPhone } from '../../core/content/contact-details.ts';
import type { ContentError } from '../../core/content/content-error.ts';
import type { ReadFacts } from '../../core/content/content-part.ts';
import { fillPlaceholders } from '../../core/content/fill-placeholders.ts';
import { countWords, type Prose, plainText } from '../../core/content/prose.ts';
import { type ParsedFile, parseMarkdownFile, splitFrontMatter } from '../../core/content/source-positions.ts';
import { readTextFile } from '../../core/content/text-file.ts';
import { validateFile } from '../../core/content/validate-file.ts';
import type { Heading, Post, PostLabels } from './blog-types.ts';
import { defaultIllustration, hideBracesInCode, type PostFields, postSchema } from './post-schema.ts';

export const postsFolder = 'blog';

const postFile = new RegExp(`^${postsFolder}/[\\w.-]+\\.md$`);

/** By its path below content/. */
export function isPostFile(file: string): boolean {
  return postFile.test(file) && file !== `${postsFolder}/README.md`;
}

export type PostResult = {
  post?: Post;
  parsed?: ParsedFile | undefined;
  isMarkedDraft?: boolean;
  errors: ContentError[];
};

const fileName = /^(\d{4}-\d{2}-\d{2})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/;
/** Addresses below /blog that are taken. */
export const reservedSlugs = ['page', 'topics', 'images', 'rss', 'atom', 'index', '404'];
const maxSlugLength = 80;
const wordsPerMinute = 220;

/** `labels` is undefined while its file has errors. */
export function readPost(
  folder: string,
  name: string,
  facts: ReadFacts,
  labels: PostLabels | undefined,
): PostResult {
  const file = `${postsFolder}/${name}`;
  const errors: ContentError[] = [];
  const addError = (line: number, field: string, reason: string) =>
    errors.push({ file, line, field, reason, ...(field && { path: [field] }) });

  const [, day = '', slug = ''] = fileName.exec(name) ?? [];
  if (!slug)
    addError(1, '', 'needs a file name of a date and lower-case words, such as 2026-11-02-what-we-found.md');
  if (slug.length > maxSlugLength)
    addError(1, '', `has a name of ${slug.length} characters after its date, limit ${maxSlugLength}`);
  if (reservedSlugs.includes(slug))
    addError(1, '', `cannot be called '${slug}'; the blog already has a page at that address`);

  const read = readTextFile(join(folder, file));
  if (read.text === undefined) {
    addError(read.line, '', read.reason);
    return { errors };
  }
  const { parsed: source, syntaxErrors } = parseMarkdownFile(file, read.text);
  errors.push(...syntaxErrors);
  const parsed = fillPlaceholders(withoutBracesInCode(source), facts, errors);
  const schema = postSchema(labels ?? noLabels, join(folder, postsFolder), facts.brand?.name);
  const fields = validateFile(parsed, schema, errors) as PostFields | undefined;

  const { date, updated } = (parsed?.value ?? {}) as Record<string, unknown>;
  const addFieldError = (field: string, reason: string) =>
    addError(parsed?.lineAt([field]) ?? 1, field, reason);
  if (slug && typeof date === 'string' && isDay(date) && date !== day)
    addFieldError('date', `is ${date}, but the file name says ${day}`);
  if (typeof updated === 'string' && typeof date === 'string' && isDay(updated) && updated < date)
    addFieldError('updated', `is ${updated}, before its date ${date}`);

  const isMarkedDraft = /^draft:[ \t]*true[ \t]*(#.*)?$/m.test(splitFrontMatter(read.text)?.front ?? '');
  if (!fields || errors.length > 0) return { parsed, isMarkedDraft, errors };
  const { prose, ...body } = fields.body;
  const linked = { ...fields, body: { ...body, prose: linkPhone(prose, facts.company) } };
  const post = createPost(slug, file, linked, labels ?? noLabels);
  const linesBefore = (parsed?.lineAt(['body']) ?? 1) - 1;
  const images = post.images.map(one => ({ ...one, line: one.line + linesBefore }));
  return { parsed, errors, post: { ...post, images } };
}

function createPost(slug: string, file: string, fields: PostFields, { topics }: PostLabels): Post {
  const { draft, body, illustration = defaultIllustration, updated, ...rest } = fields;
  const wordCount = countWords(body.prose);
  return {
    ...rest,
    slug,
    file,
    topics: fields.topics.flatMap(slug => topics.find(topic => topic.slug === slug) ?? []),
    ...(updated !== undefined && { updated }),
    isDraft: draft ?? false,
    illustration,
    body: body.prose,
    wordCount,
    images: body.images,
    minutes: Math.max(1, Math.round(wordCount / wordsPerMinute)),
    contents: findHeadings(body.prose),
  };
}

function withoutBracesInCode(parsed: ParsedFile | undefined): ParsedFile | undefined {
  const fields = parsed?.value;
  if (!parsed || typeof fields !== 'object' || fields === null || Array.isArray(fields)) return parsed;
  const { body } = fields as { body?: unknown };
  return typeof body === 'string'
    ? { ...parsed, value: { ...fields, body: hideBracesInCode(body) } }
    : parsed;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function findHeadings(prose: Prose): Heading[] {
  return prose.flatMap(node => {
    if (typeof node === 'string' || (node[0] !== 'h2' && node[0] !== 'h3')) return [];
    const [tag, { id = '' }, ...children] = node;
    return [{ id, text: plainText(children), depth: tag === 'h2' ? 2 : 3 } as const];
  });
}

/** For reading a post while blog.yaml has errors: the post's own errors are reported all the same. */
export const noLabels: PostLabels = {
  topics: [],
  callouts: { note: '', tip: '', important: '', warning: '', caution: '' },
  table: '',
  code: '',
  footnotes: '',
  backToText: '',
};
