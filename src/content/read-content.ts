import { join } from 'node:path';
import * as v from 'valibot';
import { findMistakesAcross } from './cross-file-checks.ts';
import { clip } from './fields.ts';
import { fillFacts } from './fill-placeholders.ts';
import { findMistakesInHeads } from './page-meta.ts';
import { type Content, schemas } from './schemas/all-schemas.ts';
import { fieldName, type Located, parseMarkdownFile, parseYamlFile } from './source-positions.ts';
import { readTextFile } from './text-file.ts';

export type Mistake = { file: string; line: number; field: string; reason: string };

export type ContentResult = {
  content?: Content;
  mistakes: Mistake[];
  /** Facts that only the company can fill in and has not: the site works without them. */
  warnings: string[];
};

export const files = {
  company: 'company.yaml',
  site: 'site.yaml',
  static: 'static.yaml',
  home: 'home.yaml',
  sample: 'sample.yaml',
  services: 'services.yaml',
  contact: 'contact.yaml',
  faq: 'faq.yaml',
  newsletter: 'newsletter.yaml',
  blog: 'blog.yaml',
  found: 'found.yaml',
  privacy: 'privacy.md',
  terms: 'terms.md',
  security: 'security.md',
  letters: {
    'newsletter-confirm': 'letters/newsletter-confirm.md',
    'newsletter-issue': 'letters/newsletter-issue.yaml',
  },
} satisfies Record<keyof Content, string | Record<string, string>>;

const { letters, ...pages } = files;
const allFiles = [...Object.values<string>(pages), ...Object.values<string>(letters)];

type ReadMore = (company: Content['company'] | undefined, blog: Content['blog'] | undefined) => Mistake[];

export function readContent(folder: string, readMore: ReadMore = () => []): ContentResult {
  const mistakes: Mistake[] = [];
  const company = check(readFile(folder, files.company, mistakes), schemas.company, mistakes) as
    | Content['company']
    | undefined;
  const read: Record<string, Located | undefined> = {};

  function take(file: string, schema: v.GenericSchema): unknown {
    const located = fillFacts(readFile(folder, file, mistakes), company, mistakes);
    const words = check(located, schema, mistakes);
    read[file] = located && { ...located, value: words ?? located.value };
    return words;
  }

  const { company: _, ...others } = pages;
  const content: Record<string, unknown> = { company };
  for (const [name, file] of Object.entries(others))
    content[name] = take(file, schemas[name as keyof Content]);
  content.letters = Object.fromEntries(
    Object.entries(letters).map(([name, file]) => [
      name,
      take(file, schemas.letters.entries[name as keyof typeof letters]),
    ]),
  );

  mistakes.push(...findMistakesAcross(read), ...findMistakesInHeads(read, company?.name));
  mistakes.push(...readMore(company, content.blog as Content['blog'] | undefined));
  if (mistakes.length > 0) return { mistakes: inOrder(mistakes), warnings: [] };
  const whole = content as Content;
  return { content: whole, mistakes, warnings: findUnfilled(whole) };
}

function inOrder(mistakes: Mistake[]): Mistake[] {
  const placeOf = ({ file }: Mistake) => (allFiles.includes(file) ? allFiles.indexOf(file) : allFiles.length);
  return mistakes.toSorted((one, other) => placeOf(one) - placeOf(other) || one.line - other.line);
}

export function describeMistake(mistake: Mistake): string {
  return `content/${describeMistakeAnywhere(mistake)}`;
}

/** The same for a path outside content/. One line, without terminal control characters. */
export function describeMistakeAnywhere({ file, line, field, reason }: Mistake): string {
  return `${file} line ${line}: ${field ? `${field} ` : ''}${reason}`.replaceAll(/\p{Cc}+/gu, ' ');
}

/** As an error names it: 'content/faq.yaml line 30:'. The post is searched first. */
export function findLink(folder: string, link: string, post?: string): string | undefined {
  for (const file of [...(post ? [post] : []), ...allFiles]) {
    const lines = readTextFile(join(folder, file)).text?.split('\n') ?? [];
    const index = lines.findIndex(line => line.includes(`](${link})`) || line.includes(`](${link} `));
    if (index >= 0) return `content/${file} line ${index + 1}:`;
  }
  return undefined;
}

function readFile(folder: string, file: string, mistakes: Mistake[]): Located | undefined {
  const read = readTextFile(join(folder, file));
  if (read.text === undefined) {
    mistakes.push({ file, line: read.line, field: '', reason: read.reason });
    return undefined;
  }
  const { located, syntax } = (file.endsWith('.md') ? parseMarkdownFile : parseYamlFile)(file, read.text);
  mistakes.push(...syntax);
  return located;
}

export function check(located: Located | undefined, schema: v.GenericSchema, mistakes: Mistake[]): unknown {
  if (!located) return undefined;
  const result = v.safeParse(schema, located.value);
  if (result.success) return result.output;
  const lists = new Set<unknown>();
  for (const issue of result.issues) {
    const items = issue.path ?? [];
    // To valibot a list is an object as well: one with none of the right fields and all of the wrong ones.
    const wrong = items.findIndex(item => item.type === 'object' && Array.isArray(item.input));
    if (wrong >= 0 && lists.has(items[wrong]?.input)) continue;
    if (wrong >= 0) lists.add(items[wrong]?.input);
    const path = (wrong < 0 ? items : items.slice(0, wrong)).map(item => item.key as string | number);
    mistakes.push({
      file: located.file,
      line: located.lineOf(path) + lineWithin(path, issue.input),
      field: fieldName(path),
      reason: wrong < 0 ? reasonOf(issue) : 'is a list, expected a group of fields',
    });
  }
  return undefined;
}

/** In a Markdown file the line within the body is known; a text inside YAML is folded, so its field's line is used. */
function lineWithin(path: (string | number)[], input: unknown): number {
  const line =
    path[0] === 'body' && typeof input === 'object' && input !== null && 'line' in input ? input.line : 1;
  return Number(line) - 1;
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema') return issue.message;
  if (issue.expected === 'never') return 'is not a field of this file';
  if (issue.received === 'undefined') return 'is missing';
  const expected = kinds[issue.expected ?? ''] ?? issue.expected;
  const isPlain = typeof issue.input === 'number' || typeof issue.input === 'boolean';
  const remedy = isPlain && expected === 'text' ? '; put it in quotation marks' : '';
  return `is ${kinds[issue.received] ?? clip(issue.received)}, expected ${expected}${remedy}`;
}

const kinds: Record<string, string> = {
  string: 'text',
  '(string | null)': 'text',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'a group of fields',
  null: 'empty',
};

function findUnfilled({ company }: Content): string[] {
  return company.governingLaw
    ? []
    : ['content/company.yaml: governingLaw is unfilled; the terms show a neutral placeholder'];
}
