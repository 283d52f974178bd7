import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import * as v from 'valibot';
import { group, markdown, text } from './fields.ts';
import { fillFacts } from './fill-placeholders.ts';
import type { Prose, ProseNode } from './prose.ts';
import { check, type Mistake } from './read-content.ts';
import type { Content } from './schemas/all-schemas.ts';
import { type Located, parseMarkdownFile } from './source-positions.ts';
import { readTextFile } from './text-file.ts';

export { describeMistakeAnywhere } from './read-content.ts';

export type IssueDraft = {
  /** The file's, without its ending: an issue of one name is sent once. */
  name: string;
  /** Of the file's text with normalised line ends. */
  digest: string;
  subject: string;
  /** What a mailbox shows beside the subject; may be empty. */
  preview: string;
  web?: string;
  body: Prose;
};

export type IssueResult = {
  issue?: IssueDraft;
  /** Each with the path that was given: `describeMistakeAnywhere` prints it. */
  mistakes: Mistake[];
};

export function readIssue(file: string, company: Content['company']): IssueResult {
  const mistakes: Mistake[] = [];
  const at = (line: number, field: string, reason: string) => mistakes.push({ file, line, field, reason });

  const name = basename(file).replace(/\.md$/, '');
  if (!file.endsWith('.md') || !slug.test(name) || name.length > 60)
    at(1, '', 'needs a name of lower-case letters, digits and hyphens, such as 2026-03-march.md');
  const read = readTextFile(file);
  if (read.text === undefined) {
    at(read.line, '', read.reason);
    return { mistakes };
  }
  findLongLines(read.text, at);

  const { located, syntax } = parseMarkdownFile(file, `${read.text}\n`);
  mistakes.push(...syntax);
  if (!located || syntax.length > 0) return { mistakes };
  const words = check(fill(located, company, mistakes), schema, mistakes) as Words | undefined;
  if (words) findLostLinks(words.body, located, at);
  if (!words || mistakes.length > 0) return { mistakes };
  const digest = createHash('sha256').update(read.text).digest('hex');
  return { issue: { name, digest, ...words, preview: words.preview ?? '' }, mistakes };
}

type Note = (line: number, field: string, reason: string) => void;

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function headerText(most: number) {
  return v.pipe(text(most), v.regex(/^[^\n\r\t]*$/, 'holds a line break or a tab'));
}

const schema = group({
  subject: headerText(120),
  preview: v.optional(headerText(150)),
  body: markdown(),
});
type Words = v.InferOutput<typeof schema>;

/** The absolute path matches no file of content/: their placeholders have no meaning here. */
function fill(located: Located, company: Content['company'], mistakes: Mistake[]): Located | undefined {
  const found: Mistake[] = [];
  const filled = fillFacts({ ...located, file: resolve(located.file) }, company, found);
  mistakes.push(...found.map(mistake => ({ ...mistake, file: located.file })));
  return filled && { ...filled, file: located.file };
}

const longestLine = 5000;

function findLongLines(whole: string, at: Note): void {
  whole.split('\n').forEach((line, index) => {
    if (line.length > longestLine)
      at(index + 1, '', `has ${line.length} characters in one line, limit ${longestLine}`);
  });
}

/** A mail has no place for #here to lead to. */
function findLostLinks(body: Prose, located: Located, at: Note): void {
  const { body: source } = located.value as { body: string };
  const lines = source.split('\n');
  for (const href of body.flatMap(listLinks)) {
    const isAnchor = href.startsWith('#');
    if (!isAnchor && URL.canParse(href, 'https://localhost')) continue;
    const index = lines.findIndex(line => line.includes(`(${href}`) || line.includes(`<${href}`));
    const why = isAnchor ? 'a letter has no such places; link to a page' : 'that is no address';
    at(located.lineOf(['body']) + Math.max(index, 0), 'body', `links to '${href}'; ${why}`);
  }
}

export function listLinks(node: ProseNode): string[] {
  if (typeof node === 'string') return [];
  const [, { href }, ...children] = node;
  return [...(href === undefined ? [] : [href]), ...children.flatMap(listLinks)];
}
