import { join } from 'node:path';
import type * as v from 'valibot';
import { findPoorContrast } from './brand/contrast.ts';
import { readFonts } from './brand/read-fonts.ts';
import { logoFile, noLogo, readLogo } from './brand/read-logo.ts';
import { linkPhone } from './contact-details.ts';
import type { ContentError } from './content-error.ts';
import {
  type ContentFile,
  type ContentOf,
  type ContentPart,
  type Facts,
  listFiles,
  type ReadFacts,
  type ReadOptions,
} from './content-part.ts';
import { facts as factsPart } from './facts.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { findPageMetaErrors } from './page-meta.ts';
import type { Brand } from './schemas/brand.ts';
import type { Company } from './schemas/company.ts';
import { type ParsedFile, parseMarkdownFile, parseYamlFile } from './source-positions.ts';
import { readTextFile } from './text-file.ts';
import { validateFile } from './validate-file.ts';

export type ContentResult<Content> = {
  content?: Content;
  validFiles: Partial<Content>;
  errors: ContentError[];
  warnings: string[];
};

/** What the parts have in content/: of all features, what the site is made of; of one, what that feature needs. */
export function readContent<const Parts extends readonly ContentPart[]>(
  parts: Parts,
  folder: string,
  { isPreview = false }: ReadOptions = {},
): ContentResult<ContentOf<Parts>> {
  const errors: ContentError[] = [];
  const displayableErrors: ContentError[] = [];
  const facts: ReadFacts = {
    company: readCompany(folder, errors),
    brand: readBrand(folder, errors, displayableErrors),
  };
  const parsedFiles: Record<string, ParsedFile | undefined> = {};

  function readFile({ path, schema, placeholders, movedToBrand }: ContentFile): unknown {
    const parsed = fillPlaceholders(parseFile(folder, path, errors), facts, errors, placeholders);
    const valid = validateFile(parsed, schema, errors, movedToBrand);
    const value = path.startsWith('emails/') ? valid : linkPhone(valid, facts.company);
    parsedFiles[path] = parsed && { ...parsed, value: value ?? parsed.value };
    return value;
  }

  const read: Record<string, unknown> = { ...facts };
  for (const { files } of parts)
    for (const [name, file] of Object.entries(files)) read[name] = readFile(file);

  for (const { findErrors } of parts) errors.push(...(findErrors?.(parsedFiles) ?? []));
  displayableErrors.push(...findPageMetaErrors(parts, parsedFiles, facts.brand?.name));
  const validFiles = read as Partial<ContentOf<Parts>>;
  const all = sortErrors(parts, [...errors, ...displayableErrors]);
  if ((isPreview ? errors : all).length > 0) return { validFiles, errors: all, warnings: [] };
  const content = { ...read, ...hideFacts(facts as Facts) } as ContentOf<Parts>;
  return { content, validFiles, errors: all, warnings: findUnfilledFields(content) };
}

function readCompany(folder: string, errors: ContentError[]): Company | undefined {
  const { path, schema, movedToBrand } = factsPart.files.company;
  return validateFile(parseFile(folder, path, errors), schema, errors, movedToBrand) as Company | undefined;
}

function readBrand(
  folder: string,
  errors: ContentError[],
  displayableErrors: ContentError[],
): Brand | undefined {
  const { path, schema } = factsPart.files.brand;
  const parsed = parseFile(folder, path, errors);
  const fields = validateFile(parsed, schema, errors) as v.InferOutput<typeof schema> | undefined;
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

function sortErrors(parts: readonly ContentPart[], errors: ContentError[]): ContentError[] {
  const files = listFiles([factsPart, ...parts]).map(({ path }) => path);
  const rank = ({ file }: ContentError) => (files.includes(file) ? files.indexOf(file) : files.length);
  return errors.toSorted((one, other) => rank(one) - rank(other) || one.line - other.line);
}

/** What the owner chose not to show is as if it were not filled in. */
function hideFacts({ brand, company }: Facts): Facts {
  const { promises, registration, addressNote } = brand.show;
  return {
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

function findUnfilledFields({ company }: Facts): string[] {
  return company.governingLaw
    ? []
    : ['content/company.yaml: governingLaw is unfilled; the terms show a neutral placeholder'];
}

/** `entry`: the file of a folder that the page is made of. */
export function locateLink(
  parts: readonly ContentPart[],
  folder: string,
  link: string,
  entry?: string,
): { file: string; line: number; field?: string | undefined } | undefined {
  const escaped = RegExp.escape(link);
  // In Markdown, or as the path of a menu.
  const written = new RegExp(`\\]\\(${escaped}[) ]|(\\w+): ["']?${escaped}["']?\\s*$`);
  const files = listFiles([factsPart, ...parts]).map(({ path }) => path);
  for (const file of [...(entry ? [entry] : []), ...files]) {
    const lines = readTextFile(join(folder, file)).text?.split('\n') ?? [];
    const index = lines.findIndex(line => written.test(line));
    const [, field] = written.exec(lines[index] ?? '') ?? [];
    if (index >= 0) return { file: `content/${file}`, line: index + 1, field };
  }
  return undefined;
}
