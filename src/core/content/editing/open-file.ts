import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as v from 'valibot';
import type { ContentError } from '../content-error.ts';
import { type ContentFile, type ContentPart, listFiles } from '../content-part.ts';
import { facts } from '../facts.ts';
import { listPlaceholders } from '../fill-placeholders.ts';
import { getTitleLimit } from '../page-meta.ts';
import { readContent } from '../read-content.ts';
import { addSwitches } from '../switches.ts';
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

/** A file as a form. There is no error where the file is not one of content/, wherever a request may point. */
export function openFile(parts: readonly ContentPart[], folder: string, file: string): OpenResult {
  const known = listFiles([facts, ...parts]).find(({ path }) => path === file);
  const schema = known?.schema ?? findEntrySchema(parts, folder, file);
  if (!schema) return {};
  const path = join(folder, file);
  // Before the text: of a file that is written meanwhile, the text is too new and not too old.
  const hash = hashText(existsSync(path) ? readFileSync(path) : undefined);
  const read = readTextFile(path);
  if (read.text === undefined) return { error: { file, line: read.line, field: '', reason: read.reason } };
  const fields = readFields(file, read.text);
  if (!fields) return { error: findSyntaxError(parts, folder, file) };
  const { brand, company } = readContent([], folder).validFiles;
  const placeholders = Object.entries(listPlaceholders({ brand, company }));
  const opened = {
    form: createForm(parts, schema, known, brand?.name),
    fields,
    remarks: readRemarks(file, read.text),
    hash,
    placeholders: Object.fromEntries(
      placeholders.filter((one): one is [string, string] => one[1] !== undefined),
    ),
  };
  return { opened };
}

function findEntrySchema(
  parts: readonly ContentPart[],
  folder: string,
  file: string,
): v.GenericSchema | undefined {
  for (const part of parts) {
    const entries = Object.values(part.folders ?? {}).find(({ hasFile }) => hasFile(file));
    if (!entries) continue;
    const { brand, company, ...files } = readContent([part], folder).validFiles;
    return entries.createSchema({ folder, facts: { brand, company }, files });
  }
  return undefined;
}

function createForm(
  parts: readonly ContentPart[],
  schema: v.GenericSchema,
  file: ContentFile | undefined,
  companyName: string | undefined,
): FormField {
  const form = limitTitle(createFormSchema(schema), file, companyName);
  return file?.hasSwitches ? addSwitches(form, parts) : form;
}

/** The schema of a page does not know the company's name, which its page adds. */
function limitTitle(
  form: FormField,
  file: ContentFile | undefined,
  companyName: string | undefined,
): FormField {
  const title = form.fields?.title;
  if (!title || !file?.pages?.some(path => path.length === 0)) return form;
  const max = Math.min(title.max ?? Number.POSITIVE_INFINITY, getTitleLimit(companyName));
  return { ...form, fields: { ...form.fields, title: { ...title, max } } };
}

function findSyntaxError(parts: readonly ContentPart[], folder: string, file: string): ContentError {
  const found = readContent(parts, folder).errors.find(error => error.file === file);
  return (
    found ?? { file, line: 1, field: '', reason: 'cannot be read: it must begin with its fields, as YAML' }
  );
}
