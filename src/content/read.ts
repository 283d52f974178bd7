import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { fillFacts } from './facts.ts';
import { fieldName, type Located, type Path, parseMarkdownFile, parseYamlFile } from './located.ts';
import { type Content, schemas } from './schemas.ts';

export type Mistake = { file: string; line: number; field: string; reason: string };

export type ContentResult = {
  /** Present only when there is no mistake. */
  content?: Content;
  mistakes: Mistake[];
  /** Facts that only the company can fill and has not: the site works, the owner should know. */
  warnings: string[];
};

const files: Record<keyof Content, string | Record<string, string>> = {
  company: 'company.yaml',
  site: 'site.yaml',
  static: 'static.yaml',
  home: 'home.yaml',
  sample: 'sample.yaml',
  services: 'services.yaml',
  contact: 'contact.yaml',
  faq: 'faq.yaml',
  newsletter: 'newsletter.yaml',
  privacy: 'privacy.md',
  terms: 'terms.md',
  letters: {
    'newsletter-confirm': 'letters/newsletter-confirm.md',
    'newsletter-issue': 'letters/newsletter-issue.yaml',
  },
};

/** Reads every file of the folder and reports every mistake at once. */
export function readContent(folder: string): ContentResult {
  const mistakes: Mistake[] = [];
  const read = (file: string) => readFile(folder, file, mistakes);

  const company = check(read('company.yaml'), schemas.company, mistakes) as Content['company'] | undefined;
  const content: Record<string, unknown> = { company };
  for (const [name, file] of Object.entries(files)) {
    if (name === 'company') continue;
    const schema = schemas[name as keyof Content];
    if (typeof file === 'string') {
      content[name] = check(fillFacts(read(file), company, mistakes), schema, mistakes);
      continue;
    }
    const parts = Object.entries(file).map(([key, path]) => {
      const part = fillFacts(read(path), company, mistakes);
      return [key, check(part, entryOf(schema, key), mistakes)];
    });
    content[name] = Object.fromEntries(parts);
  }

  checkAcrossFiles(folder, content as Partial<Content>, mistakes);
  if (mistakes.length > 0) return { mistakes, warnings: [] };
  const whole = content as Content;
  return { content: whole, mistakes, warnings: findUnfilled(whole) };
}

/** 'content/services.yaml line 14: summary is 212 characters, limit 60' */
export function describeMistake(mistake: Mistake): string {
  return `content/${describeMistakeAnywhere(mistake)}`;
}

/** The same for a file that is named by its own path. */
export function describeMistakeAnywhere({ file, line, field, reason }: Mistake): string {
  return `${file} line ${line}: ${field ? `${field} ` : ''}${reason}`;
}

function readFile(folder: string, file: string, mistakes: Mistake[]): Located | undefined {
  const path = join(folder, file);
  if (!existsSync(path)) {
    mistakes.push({ file, line: 1, field: '', reason: 'the file is missing' });
    return undefined;
  }
  const parse = file.endsWith('.md') ? parseMarkdownFile : parseYamlFile;
  const { located, syntax } = parse(file, readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  mistakes.push(...syntax);
  return syntax.length > 0 ? undefined : located;
}

export function check(located: Located | undefined, schema: v.GenericSchema, mistakes: Mistake[]): unknown {
  if (!located) return undefined;
  const result = v.safeParse(schema, located.value);
  if (result.success) return result.output;
  for (const issue of result.issues) {
    const path = (issue.path ?? []).map(item => item.key as string | number);
    mistakes.push({
      file: located.file,
      line: located.lineOf(path) + lineWithin(path, issue.input),
      field: fieldName(path),
      reason: reasonOf(issue),
    });
  }
  return undefined;
}

/** A Markdown file says which line of its body is wrong; a text inside YAML is folded, so its field's line must do. */
function lineWithin(path: (string | number)[], input: unknown): number {
  const line =
    path[0] === 'body' && typeof input === 'object' && input !== null && 'line' in input ? input.line : 1;
  return Number(line) - 1;
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema') return issue.message;
  if (issue.expected === 'never') return 'is not a field of this file';
  if (issue.received === 'undefined') return 'is missing';
  return `is ${kinds[issue.received] ?? issue.received}, expected ${kinds[issue.expected ?? ''] ?? issue.expected}`;
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  Array: 'a list',
  Object: 'a group of fields',
  null: 'empty',
};

function entryOf(schema: v.GenericSchema, key: string): v.GenericSchema {
  return (schema as unknown as { entries: Record<string, v.GenericSchema> }).entries[key] as v.GenericSchema;
}

/** What one file promises about another, and about its own ids; a file that could not be read promises nothing. */
function checkAcrossFiles(folder: string, content: Partial<Content>, mistakes: Mistake[]): void {
  const { home, sample, services, faq } = content;
  const at = (file: string, path: Path, field: string, reason: string) => {
    const line = readFile(folder, file, [])?.lineOf(path) ?? 1;
    mistakes.push({ file, line, field, reason });
  };
  const known = new Set(services?.services.map(service => service.id));
  home?.offer.cards.forEach((id, index) => {
    if (services && !known.has(id))
      at('home.yaml', ['offer', 'cards', index], 'cards', `names '${id}', which services.yaml does not have`);
  });
  const severity = sample?.finding.severity;
  if (severity && !sample.scale.includes(severity)) {
    const reason = `is '${severity}', expected one of ${sample.scale.join(', ')}`;
    at('sample.yaml', ['finding', 'severity'], 'severity', reason);
  }
  for (const [file, words] of [
    ['services.yaml', services],
    ['faq.yaml', faq],
  ] as const) {
    const seen = new Set<string>();
    for (const { id, path } of words ? listIds(words) : []) {
      if (seen.has(id)) at(file, path, 'id', `'${id}' stands twice; a link to it would be ambiguous`);
      seen.add(id);
    }
  }
}

/** Every link target of a page, those of headings inside its Markdown included. */
function listIds(value: unknown, path: Path = []): { id: string; path: Path }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    return name === 'id' ? [{ id: String(item), path: inner }] : listIds(item, inner);
  });
}

function findUnfilled({ company }: Content): string[] {
  return company.governingLaw
    ? []
    : ['content/company.yaml: governingLaw is unfilled; the terms show a neutral placeholder'];
}
