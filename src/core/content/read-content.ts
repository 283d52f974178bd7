import { join } from 'node:path';
import type * as v from 'valibot';
import { findPoorContrast } from './brand/contrast.ts';
import { readFonts } from './brand/read-fonts.ts';
import { logoFile, noLogo, readLogo } from './brand/read-logo.ts';
import { linkPhone } from './contact-details.ts';
import type { ContentError } from './content-error.ts';
import { findCrossFileErrors } from './cross-file-checks.ts';
import { fillPlaceholders, type PlaceholderValues } from './fill-placeholders.ts';
import { findPageMetaErrors } from './page-meta.ts';
import { type Content, schemas } from './schemas/all-schemas.ts';
import type { Brand } from './schemas/brand.ts';
import { type ParsedFile, parseMarkdownFile, parseYamlFile } from './source-positions.ts';
import { readTextFile } from './text-file.ts';
import { validateFile } from './validate-file.ts';

export type ContentResult = {
  content?: Content;
  validFiles: Partial<Content>;
  errors: ContentError[];
  warnings: string[];
};

export const contentFiles = {
  brand: 'brand/brand.yaml',
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
  seo: 'seo.yaml',
  privacy: 'privacy.md',
  terms: 'terms.md',
  security: 'security.md',
  audit: 'audit.yaml',
  'audit-about': 'audit-about.md',
  acknowledgementMail: 'emails/acknowledgement.md',
  confirmationMail: 'emails/confirmation.md',
  issueMail: 'emails/newsletter-issue.yaml',
} satisfies Record<keyof Content, string>;

const allFiles = Object.values<string>(contentFiles);

/** A preview has drafts, all posts but those with errors, and content that can be shown but not published. */
export type ReadOptions = { isPreview?: boolean };

export function readContent(folder: string, { isPreview = false }: ReadOptions = {}): ContentResult {
  const errors: ContentError[] = [];
  const displayableErrors: ContentError[] = [];
  const company = validateFile(parseFile(folder, contentFiles.company, errors), schemas.company, errors);
  const facts = { brand: readBrand(folder, errors, displayableErrors), company } as PlaceholderValues;
  const parsedFiles: Record<string, ParsedFile | undefined> = {};

  function readFile(file: string, schema: v.GenericSchema): unknown {
    const parsed = fillPlaceholders(parseFile(folder, file, errors), facts, errors);
    const valid = validateFile(parsed, schema, errors);
    const value = file.startsWith('emails/') ? valid : linkPhone(valid, facts.company);
    parsedFiles[file] = parsed && { ...parsed, value: value ?? parsed.value };
    return value;
  }

  const { brand: _, company: __, ...others } = contentFiles;
  const content: Record<string, unknown> = { ...facts };
  for (const [name, file] of Object.entries(others))
    content[name] = readFile(file, schemas[name as keyof Content]);

  errors.push(...findCrossFileErrors(parsedFiles));
  displayableErrors.push(...findPageMetaErrors(parsedFiles, facts.brand?.name));
  const validFiles = content as Partial<Content>;
  const all = sortErrors([...errors, ...displayableErrors]);
  if ((isPreview ? errors : all).length > 0) return { validFiles, errors: all, warnings: [] };
  const complete = hideFacts(content as Content);
  return { content: complete, validFiles, errors: all, warnings: findUnfilledFields(complete) };
}

function readBrand(
  folder: string,
  errors: ContentError[],
  displayableErrors: ContentError[],
): Brand | undefined {
  const parsed = parseFile(folder, contentFiles.brand, errors);
  const fields = validateFile(parsed, schemas.brand, errors) as
    | v.InferOutput<typeof schemas.brand>
    | undefined;
  const logo = readLogo(join(folder, logoFile), errors);
  if (!parsed || !fields) return undefined;
  displayableErrors.push(...findPoorContrast(fields.colours, parsed));
  const fontFiles = readFonts(folder, fields.fonts, parsed, errors);
  return { ...fields, logo: logo ?? noLogo, fontFiles };
}

function parseFile(folder: string, file: string, errors: ContentError[]): ParsedFile | undefined {
  const read = readTextFile(join(folder, file));
  if (read.text === undefined) {
    errors.push({ file, line: read.line, field: '', reason: read.reason });
    return undefined;
  }
  const { parsed, syntaxErrors } = parseText(file, read.text);
  errors.push(...syntaxErrors);
  return parsed;
}

/** By file: a preview reads everything again after each change of one file. */
const lastParsed = new Map<string, { text: string; result: ReturnType<typeof parseYamlFile> }>();

export function parseText(file: string, text: string): ReturnType<typeof parseYamlFile> {
  const last = lastParsed.get(file);
  if (last?.text === text) return last.result;
  const result = (file.endsWith('.md') ? parseMarkdownFile : parseYamlFile)(file, text);
  lastParsed.set(file, { text, result });
  return result;
}

function sortErrors(errors: ContentError[]): ContentError[] {
  const rank = ({ file }: ContentError) =>
    allFiles.includes(file) ? allFiles.indexOf(file) : allFiles.length;
  return errors.toSorted((one, other) => rank(one) - rank(other) || one.line - other.line);
}

/** What the owner chose not to show is as if it were not filled in. */
function hideFacts(content: Content): Content {
  const { brand, company } = content;
  const { promises, registration, addressNote } = brand.show;
  return {
    ...content,
    brand: registration ? brand : { ...brand, legalName: null },
    company: {
      ...company,
      promises: promises ? company.promises : mapToNull(company.promises),
      people: promises ? company.people : [],
      registration: registration ? company.registration : mapToNull(company.registration),
      addressNote: addressNote ? company.addressNote : null,
    },
  };
}

function mapToNull<Name extends string>(facts: Record<Name, string | null>) {
  return Object.fromEntries(Object.keys(facts).map(name => [name, null])) as Record<Name, null>;
}

function findUnfilledFields({ company }: Content): string[] {
  return company.governingLaw
    ? []
    : ['content/company.yaml: governingLaw is unfilled; the terms show a neutral placeholder'];
}

export function locateLink(
  folder: string,
  link: string,
  post?: string,
): { file: string; line: number; field?: string | undefined } | undefined {
  const escaped = RegExp.escape(link);
  // In Markdown, or as the path of a menu.
  const written = new RegExp(`\\]\\(${escaped}[) ]|(\\w+): ["']?${escaped}["']?\\s*$`);
  for (const file of [...(post ? [post] : []), ...allFiles]) {
    const lines = readTextFile(join(folder, file)).text?.split('\n') ?? [];
    const index = lines.findIndex(line => written.test(line));
    const [, field] = written.exec(lines[index] ?? '') ?? [];
    if (index >= 0) return { file: `content/${file}`, line: index + 1, field };
  }
  return undefined;
}
