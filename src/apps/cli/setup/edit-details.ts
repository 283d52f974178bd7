import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describeContentError } from '../../../core/content/content-error.ts';
import type { Facts } from '../../../core/content/content-part.ts';
import { withChangedCopy } from '../../../core/content/editing/check-changes.ts';
import { editYaml } from '../../../core/content/editing/edit-yaml.ts';
import { isExampleAddress } from '../../../core/content/example-data.ts';
import { facts } from '../../../core/content/facts.ts';
import { parseYaml } from '../../../core/content/parse-yaml.ts';
import { validateFile } from '../../../core/content/validate-file.ts';
import { readSite } from '../../content.ts';

export type Details = Pick<Facts['brand'], 'name'> &
  Pick<Facts['company'], 'phone' | 'email' | 'address' | 'supportHours'>;

export function readDetails({ brand: { name }, company }: Facts): Details {
  const { phone, email, address, supportHours } = company;
  return { name, phone, email, address, supportHours };
}

function groupOf(field: keyof Details): 'brand' | 'company' {
  return field === 'name' ? 'brand' : 'company';
}

export function fileOf(field: keyof Details): string {
  return `content/${facts.files[groupOf(field)].path}`;
}

/** The new text of each file of content/ that the changed details edit. */
export function editContent(folder: string, before: Facts, after: Details): Map<string, string> {
  const { brand, company } = before;
  const changed = listChanged(readDetails(before), after);
  const changes = { brand: {}, company: {} };
  for (const field of changed) Object.assign(changes[groupOf(field)], { [field]: after[field] });
  if (changed.includes('name') && brand.logoText === brand.name)
    Object.assign(changes.brand, { logoText: after.name });
  if (changed.includes('address') && isExampleAddress([company.addressNote ?? '']))
    Object.assign(changes.company, { addressNote: null });
  const files = new Map<string, string>();
  for (const name of ['brand', 'company'] as const) {
    const file = facts.files[name].path;
    if (Object.keys(changes[name]).length === 0) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    files.set(file, editYaml(text, { ...parseYaml(text).toJS(), ...changes[name] }));
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
  const { brand, company } = facts.files;
  const schema = v.object({ [field]: { ...brand.schema.entries, ...company.schema.entries }[field] });
  validateFile({ file: '', value: { [field]: value }, lineAt: () => 1 }, schema, errors);
  return errors[0] && `${errors[0].field} ${errors[0].reason}`;
}

/** Errors of the whole site with the changed details: a long name can make the title of a page too long. */
export function findContentErrors(folder: string, before: Facts, after: Details): string[] {
  const files = editContent(folder, before, after);
  return withChangedCopy(folder, files, copy => readSite(copy).errors.map(describeContentError));
}
