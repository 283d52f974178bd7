import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import * as v from 'valibot';
import type { ContentError } from '../../core/content/content-error.ts';
import type { ReadFacts } from '../../core/content/content-part.ts';
import { markdown, strictObject, text } from '../../core/content/fields.ts';
import { fillPlaceholders } from '../../core/content/fill-placeholders.ts';
import type { Prose, ProseNode } from '../../core/content/prose.ts';
import { type ParsedFile, parseMarkdownFile } from '../../core/content/source-positions.ts';
import { readTextFile } from '../../core/content/text-file.ts';
import { validateFile } from '../../core/content/validate-file.ts';
import type { IssueResult } from '../../core/mail/issue.ts';

export function readNewsletterIssue(file: string, facts: ReadFacts): IssueResult {
  const errors: ContentError[] = [];
  const addError: AddError = (line: number, field: string, reason: string) =>
    errors.push({ file, line, field, reason });

  const name = basename(file).replace(/\.md$/, '');
  if (!file.endsWith('.md') || !issueName.test(name))
    addError(1, '', 'needs a file name of lower-case letters, digits and hyphens, such as 2026-03-march.md');
  const read = readTextFile(file);
  if (read.text === undefined) {
    addError(read.line, '', read.reason);
    return { errors };
  }
  findLongLines(read.text, addError);

  const { parsed, syntaxErrors } = parseMarkdownFile(file, `${read.text}\n`);
  errors.push(...syntaxErrors);
  if (!parsed || syntaxErrors.length > 0) return { errors };
  const fields = validateFile(fill(parsed, facts, errors), schema, errors) as IssueFields | undefined;
  if (fields) findBrokenLinks(fields.body, parsed, addError);
  if (!fields || errors.length > 0) return { errors };
  const hash = createHash('sha256').update(read.text).digest('hex');
  return { issue: { name, hash, ...fields, preview: fields.preview ?? '' }, errors };
}

type AddError = (line: number, field: string, reason: string) => void;

export const issueName = /^(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*$/;

function headerText(maxLength: number) {
  return v.pipe(text(maxLength), v.regex(/^[^\n\r\t]*$/, 'contains a line break or a tab'));
}

const schema = strictObject({
  subject: headerText(120),
  preview: v.optional(headerText(150)),
  body: markdown(),
});
type IssueFields = v.InferOutput<typeof schema>;

/** An absolute path matches no file of content/, whose placeholders are not filled in here. */
function fill(parsed: ParsedFile, facts: ReadFacts, errors: ContentError[]): ParsedFile | undefined {
  const placeholderErrors: ContentError[] = [];
  const filled = fillPlaceholders({ ...parsed, file: resolve(parsed.file) }, facts, placeholderErrors);
  errors.push(...placeholderErrors.map(error => ({ ...error, file: parsed.file })));
  return filled && { ...filled, file: parsed.file };
}

const maxLineLength = 5000;

function findLongLines(whole: string, addError: AddError): void {
  whole.split('\n').forEach((line, index) => {
    if (line.length > maxLineLength)
      addError(index + 1, '', `has ${line.length} characters in one line, limit ${maxLineLength}`);
  });
}

function findBrokenLinks(body: Prose, parsed: ParsedFile, addError: AddError): void {
  const { body: source } = parsed.value as { body: string };
  const lines = source.split('\n');
  for (const href of body.flatMap(listLinks)) {
    const isAnchor = href.startsWith('#');
    if (!isAnchor && URL.canParse(href, 'https://localhost')) continue;
    const index = lines.findIndex(line => line.includes(`(${href}`) || line.includes(`<${href}`));
    const why = isAnchor
      ? 'an email has no headings to jump to; link to a page'
      : 'that is not a valid address';
    addError(parsed.lineAt(['body']) + Math.max(index, 0), 'body', `links to '${href}'; ${why}`);
  }
}

export function listLinks(node: ProseNode): string[] {
  if (typeof node === 'string') return [];
  const [, { href }, ...children] = node;
  return [...(href === undefined ? [] : [href]), ...children.flatMap(listLinks)];
}
