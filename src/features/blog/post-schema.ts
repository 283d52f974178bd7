import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import * as v from 'valibot';
import { day, description, listOf, strictObject, text, truncate } from '../../core/content/fields.ts';
import { getTitleLimit } from '../../core/content/page-meta.ts';
import type { PostLabels } from './blog-types.ts';
import { parsePostProse, parserOptions } from './post-prose.ts';

const maxBodyLength = 60_000;

/** Bidirectional control characters reorder the text after them and are invisible. */
const bidiControl = /[\u202A-\u202E\u2066-\u2069]/;
const bidiReason = 'contains a character that changes the writing direction';

export function postSchema(labels: PostLabels, folder: string, companyName: string | undefined) {
  return strictObject({
    title: v.pipe(oneLine(text(getTitleLimit(companyName))), v.description(describeTitle(companyName))),
    summary: oneLine(description()),
    topics: v.pipe(
      listOf(oneOf(labels.topics.map(({ slug }) => slug)), 1, 5),
      v.check(topics => new Set(topics).size === topics.length, 'lists one of them twice'),
    ),
    date: day(),
    updated: v.optional(day()),
    draft: v.optional(v.boolean()),
    illustration: v.optional(oneOf(illustrationNames)),
    body: v.pipe(
      text(maxBodyLength),
      v.rawTransform(({ dataset, addIssue }) => {
        const body = restoreBracesInCode(dataset.value);
        const { errors, ...read } = parsePostProse(body, labels, folder);
        // In code, bidirectional characters can show other lines than those that run (Trojan Source).
        for (const [index, line] of body.split('\n').entries())
          if (bidiControl.test(line)) errors.push({ line: index + 1, reason: bidiReason });
        for (const { reason, line } of errors) addIssue({ message: reason, input: { line } });
        return read;
      }),
    ),
  });
}

function describeTitle(companyName: string | undefined): string {
  return companyName ? `' – ${companyName}' is added to it in tabs and search results` : '';
}

export type PostFields = v.InferOutput<ReturnType<typeof postSchema>>;

function oneLine<Text extends v.GenericSchema<string, string>>(field: Text) {
  return v.pipe(
    field,
    v.check((value: string) => !/[\n\r\t\u2028\u2029]/.test(value), 'contains a line break or a tab'),
    v.check((value: string) => !bidiControl.test(value), bidiReason),
  );
}

/** The list is empty while blog.yaml has errors: then anything passes. */
function oneOf(known: string[]) {
  return v.pipe(
    v.string(),
    v.check(
      value => known.length === 0 || known.includes(value),
      issue => `is '${truncate(issue.input)}', expected one of ${known.join(', ')}`,
    ),
    v.examples(known),
  );
}

const illustrationNames = [
  'computer-security',
  'contact',
  'data-security',
  'locker-security',
  'malware-protection',
  'network-security',
  'services',
  'shield',
  'web-security',
];

export const defaultIllustration = 'shield';

const [openingBrace, closingBrace] = ['\uFDD0', '\uFDD1'];

/** Braces in code are no placeholders: they are replaced until the placeholders are filled in. */
export function hideBracesInCode(markdown: string): string {
  if (!markdown.includes('{')) return markdown;
  let hidden = markdown;
  (function visit(node: Nodes): void {
    if (node.type === 'code' || node.type === 'inlineCode') {
      const [start, end] = [node.position?.start.offset, node.position?.end.offset];
      const code = markdown.slice(start, end).replaceAll('{', openingBrace).replaceAll('}', closingBrace);
      hidden = hidden.slice(0, start) + code + hidden.slice(end);
    }
    if ('children' in node) node.children.forEach(visit);
  })(fromMarkdown(markdown, parserOptions));
  return hidden;
}

function restoreBracesInCode(markdown: string): string {
  return markdown.replaceAll(openingBrace, '{').replaceAll(closingBrace, '}');
}
