import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as v from 'valibot';
import { postSchema } from '../../../features/blog/post-schema.ts';
import { noLabels, postsFolder } from '../../../features/blog/read-post.ts';
import { getPostLabels } from '../../../features/blog/read-posts.ts';
import type { ContentError } from '../content-error.ts';
import { listPlaceholders } from '../fill-placeholders.ts';
import { getTitleLimit, hasPageTitle } from '../page-meta.ts';
import { contentFiles, readContent } from '../read-content.ts';
import { schemas } from '../schemas/all-schemas.ts';
import { readTextFile } from '../text-file.ts';
import { type Fields, hashText, readFields } from './edit-file.ts';
import { createFormSchema } from './form-schema.ts';
import type { FormField, Remarks } from './form-types.ts';
import { readRemarks } from './read-remarks.ts';

export type OpenedFile = {
  form: FormField;
  fields: Fields;
  remarks: Remarks;
  /** Of the file as it was read. */
  hash: string;
  /** The values of placeholders such as {company.name}, to count the length of a text as it is shown. */
  placeholders: Record<string, string>;
};

export type OpenResult = { opened: OpenedFile } | { opened?: never; error?: ContentError };

const postFile = new RegExp(`^${postsFolder}/[\\w.-]+\\.md$`);

export function isPostFile(file: string): boolean {
  return postFile.test(file) && file !== `${postsFolder}/README.md`;
}

/** Undefined for what is not a file of texts, wherever a request may point. */
export function findSchema(folder: string, file: string): v.GenericSchema | undefined {
  const found = Object.entries(contentFiles).find(([, known]) => known === file);
  if (found) return schemas[found[0] as keyof typeof schemas];
  if (!isPostFile(file)) return undefined;
  const { blog, brand } = readContent(folder).validFiles;
  return postSchema(blog ? getPostLabels(blog) : noLabels, join(folder, postsFolder), brand?.name);
}

/** A file as a form. There is no error where the file is not one of content/. */
export function openFile(folder: string, file: string): OpenResult {
  const schema = findSchema(folder, file);
  if (!schema) return {};
  const path = join(folder, file);
  // Before the text: of a file that is written meanwhile, the text is too new and not too old.
  const hash = hashText(existsSync(path) ? readFileSync(path) : undefined);
  const read = readTextFile(path);
  if (read.text === undefined) return { error: { file, line: read.line, field: '', reason: read.reason } };
  const fields = readFields(file, read.text);
  if (!fields) return { error: findSyntaxError(folder, file) };
  const { brand, company } = readContent(folder).validFiles;
  const placeholders = Object.entries(listPlaceholders({ brand, company }));
  const opened = {
    form: limitTitle(createFormSchema(schema), file, brand?.name),
    fields,
    remarks: readRemarks(file, read.text),
    hash,
    placeholders: Object.fromEntries(
      placeholders.filter((one): one is [string, string] => one[1] !== undefined),
    ),
  };
  return { opened };
}

/** The schema of a page does not know the company's name, which its page adds. */
function limitTitle(form: FormField, file: string, companyName: string | undefined): FormField {
  const title = form.fields?.title;
  if (!title || !hasPageTitle(file)) return form;
  const max = Math.min(title.max ?? Number.POSITIVE_INFINITY, getTitleLimit(companyName));
  return { ...form, fields: { ...form.fields, title: { ...title, max } } };
}

function findSyntaxError(folder: string, file: string): ContentError {
  const found = readContent(folder).errors.find(error => error.file === file);
  return (
    found ?? { file, line: 1, field: '', reason: 'cannot be read: it must begin with its fields, as YAML' }
  );
}
