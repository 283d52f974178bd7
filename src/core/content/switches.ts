import { join } from 'node:path';
import type { ContentError } from './content-error.ts';
import { type ContentPart, listFiles } from './content-part.ts';
import type { FormField } from './editing/form-types.ts';
import { findSimilarName } from './find-similar-name.ts';
import { parseText } from './read-content.ts';
import { type ParsedFile, valueAt } from './source-positions.ts';
import { readTextFile } from './text-file.ts';

// `features:` of site.yaml says which optional features the site has. One that is not named there is on.

const [file, field] = ['site.yaml', 'features'];

/** Of the content/ of a build, or of the owner's while there is none. */
export function listSwitchedOff(folder: string): string[] {
  const given = valueAt(readSwitches(folder)?.value, [field]);
  return Object.entries(given ?? {}).flatMap(([name, isOn]) => (isOn === false ? name : []));
}

export function isSwitchedOn(folder: string, name: string): boolean {
  return !listSwitchedOff(folder).includes(name);
}

/** Where not all features are read, the file that names them is not either. */
export function findSwitchErrors(parts: readonly ContentPart[], folder: string): ContentError[] {
  if (!listFiles(parts).some(({ hasSwitches }) => hasSwitches)) return [];
  const parsed = readSwitches(folder);
  const given = valueAt(parsed?.value, [field]);
  if (!parsed || typeof given !== 'object' || given === null) return [];
  const known = listOptional(parts).map(({ name }) => name);
  return Object.keys(given).flatMap((name): ContentError[] => {
    if (known.includes(name)) return [];
    const meant = findSimilarName(
      name,
      known.filter(one => !(one in given)),
    );
    const hint = meant ? `did you mean ${meant}?` : `expected one of ${known.join(', ')}`;
    const path = [field, name];
    return [{ file, line: parsed.lineAt(path), field: name, path, reason: `is not a feature; ${hint}` }];
  });
}

/** In a form each optional feature is a checkbox, whether the file names it or not. */
export function addSwitches(form: FormField, parts: readonly ContentPart[]): FormField {
  const boxes = listOptional(parts).map(({ name, switchHint: help = '' }): [string, FormField] => [
    name,
    { kind: 'boolean', isOptional: true, isOnByDefault: true, help },
  ]);
  const group: FormField = { kind: 'group', fields: Object.fromEntries(boxes) };
  return { ...form, fields: { ...form.fields, [field]: group } };
}

function readSwitches(folder: string): ParsedFile | undefined {
  const { text = '' } = readTextFile(join(folder, file));
  return parseText(file, text).parsed;
}

function listOptional(parts: readonly ContentPart[]) {
  return parts.filter(({ switchHint }) => switchHint !== undefined);
}
