import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describeContentError } from '../../content/content-error.ts';
import { editYaml, type YamlChange } from '../../content/edit-yaml.ts';
import { isExampleAddress } from '../../content/example-data.ts';
import { contentFiles } from '../../content/read-content.ts';
import { readSite } from '../../content/read-site.ts';
import { type Content, schemas } from '../../content/schemas/all-schemas.ts';
import { validateFile } from '../../content/validate-file.ts';
import { readConfig } from '../../server/config.ts';
import type { Settings } from './env-file.ts';

export type Details = Pick<Content['brand'], 'name'> &
  Pick<Content['company'], 'phone' | 'email' | 'address' | 'supportHours'>;

export function readDetails({ brand: { name }, company }: Content): Details {
  const { phone, email, address, supportHours } = company;
  return { name, phone, email, address, supportHours };
}

function groupOf(field: keyof Details): 'brand' | 'company' {
  return field === 'name' ? 'brand' : 'company';
}

export function fileOf(field: keyof Details): string {
  return `content/${contentFiles[groupOf(field)]}`;
}

/** The new text of each file of content/ that the changed details edit. */
export function editContent(folder: string, before: Content, after: Details): Map<string, string> {
  const { brand, company } = before;
  const changed = listChanged(readDetails(before), after);
  const changes = { brand: [] as YamlChange[], company: [] as YamlChange[] };
  for (const field of changed) changes[groupOf(field)].push({ path: [field], value: after[field] });
  if (changed.includes('name') && brand.logoText === brand.name)
    changes.brand.push({ path: ['logoText'], value: after.name });
  if (changed.includes('address') && isExampleAddress([company.addressNote ?? '']))
    changes.company.push({ path: ['addressNote'], value: null });
  const files = new Map<string, string>();
  for (const name of ['brand', 'company'] as const) {
    const file = contentFiles[name];
    const isChanged = changes[name].length > 0;
    if (isChanged) files.set(file, editYaml(readFileSync(join(folder, file), 'utf8'), changes[name]));
  }
  return files;
}

export function listChanged(before: Details, after: Details): (keyof Details)[] {
  const fields = Object.keys(before) as (keyof Details)[];
  return fields.filter(field => String(before[field]) !== String(after[field]));
}

/** The error that the same value would have in its file. */
export function validateDetail(field: keyof Details, value: string | string[]): string | undefined {
  const errors: Parameters<typeof validateFile>[2] = [];
  const schema = v.object({ [field]: { ...schemas.brand.entries, ...schemas.company.entries }[field] });
  validateFile({ file: '', value: { [field]: value }, lineAt: () => 1 }, schema, errors);
  return errors[0] && `${errors[0].field} ${errors[0].reason}`;
}

/** Errors of the whole site with the changed details: a long name can make the title of a page too long. */
export function findContentErrors(folder: string, before: Content, after: Details): string[] {
  const files = editContent(folder, before, after);
  const copy = mkdtempSync(join(tmpdir(), 'wardhouse-setup-'));
  try {
    cpSync(folder, copy, { recursive: true });
    for (const [file, text] of files) writeFileSync(join(copy, file), text);
    return readSite(copy).errors.map(describeContentError);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** The error that readConfig reports for this setting, in its words. */
export function validateSetting(settings: Settings, name: string): string | undefined {
  const result = readConfig(settings);
  const mentions = new RegExp(`\\b${name}\\b`);
  return 'errors' in result ? result.errors.find(error => mentions.test(error)) : undefined;
}
