import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ContentPart, listFolders } from '../content-part.ts';
import { editFile, type Fields, hashText, readFields } from './edit-file.ts';
import type { ItemOrigins } from './form-types.ts';
import type { SaveRequest } from './save-changes.ts';

export type FileEdit = { file: string; fields: Fields; origins?: ItemOrigins | undefined; hash: string };

/** What saving a form changes. A file may get another name by its new fields, as a post that begins with its date. */
export function planEdit(
  parts: readonly ContentPart[],
  folder: string,
  { file, fields, origins, hash }: FileEdit,
): SaveRequest & { file: string } {
  const before = readFileSync(join(folder, file), 'utf8');
  const fieldsBefore = readFields(file, before) ?? {};
  // After a change by another program, the places of items are those of another file.
  const after = editFile(file, before, fields, hash === hashText(before) ? origins : undefined);
  const entries = listFolders(parts).find(({ hasFile }) => hasFile(file));
  const name = entries?.rename?.(file, fields) ?? file;
  const changed = Object.keys({ ...fieldsBefore, ...fields }).filter(
    field => !isDeepStrictEqual(fieldsBefore[field], fields[field]),
  );
  const summary = `Change ${changed.slice(0, 4).join(', ')} in content/${file}`;
  if (name === file || existsSync(join(folder, name)))
    return { file, changes: new Map([[file, after]]), hashes: { [file]: hash }, summary };
  const changes = new Map([
    [name, after],
    [file, null],
  ]);
  return { file: name, changes, hashes: { [file]: hash, [name]: hashText(undefined) }, summary };
}

export function planDeletion(folder: string, file: string): SaveRequest {
  const before = readFileSync(join(folder, file));
  return {
    changes: new Map([[file, null]]),
    hashes: { [file]: hashText(before) },
    summary: `Delete content/${file}`,
  };
}
