import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { postsFolder, reservedSlugs } from '../../../features/blog/read-post.ts';
import { toSlug } from '../prose.ts';
import { editFile, type Fields, hashText, readFields } from './edit-file.ts';
import type { ItemOrigins } from './form-types.ts';
import { isPostFile } from './open-file.ts';
import type { SaveRequest } from './save-changes.ts';

export type FileEdit = { file: string; fields: Fields; origins?: ItemOrigins | undefined; hash: string };

/** What saving a form changes. A post whose date changes gets another file name, which begins with it. */
export function planEdit(
  folder: string,
  { file, fields, origins, hash }: FileEdit,
): SaveRequest & { file: string } {
  const before = readFileSync(join(folder, file), 'utf8');
  const fieldsBefore = readFields(file, before) ?? {};
  // After a change by another program, the places of items are those of another file.
  const after = editFile(file, before, fields, hash === hashText(before) ? origins : undefined);
  const name = isPostFile(file) ? nameByDate(file, fields.date) : file;
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

function nameByDate(file: string, date: unknown): string {
  const isDay = typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date);
  return isDay ? `${postsFolder}/${basename(file).replace(/^\d{4}-\d{2}-\d{2}/, date)}` : file;
}

/** A new draft, to be written in the editor. Undefined where a post has that address already. */
export function planNewPost(
  folder: string,
  title: string,
  date: string,
): (SaveRequest & { file: string }) | undefined {
  const named = toSlug(title);
  const slug = reservedSlugs.includes(named) ? `${named}-post` : named;
  if (listPostFiles(folder).some(file => file.slice(`${postsFolder}/2026-01-01-`.length) === `${slug}.md`))
    return undefined;
  const file = `${postsFolder}/${date}-${slug}.md`;
  const fields = { title, summary: '', topics: [], date, draft: true, body: 'Write here.' };
  const changes = new Map([[file, editFile(file, '---\n---\n\n', fields)]]);
  return { file, changes, hashes: { [file]: hashText(undefined) }, summary: `Add the draft content/${file}` };
}

export function planDraft(folder: string, file: string, isDraft: boolean): SaveRequest {
  const before = readFileSync(join(folder, file), 'utf8');
  const { draft: _, ...fields } = readFields(file, before) ?? {};
  const { body, ...others } = fields;
  const after = editFile(file, before, { ...others, ...(isDraft && { draft: true }), body });
  const summary = isDraft ? `Make content/${file} a draft` : `Release content/${file}`;
  return { changes: new Map([[file, after]]), hashes: { [file]: hashText(before) }, summary };
}

export function planDeletion(folder: string, file: string): SaveRequest {
  const before = readFileSync(join(folder, file));
  return {
    changes: new Map([[file, null]]),
    hashes: { [file]: hashText(before) },
    summary: `Delete content/${file}`,
  };
}

/** Newest first. */
export function listPostFiles(folder: string): string[] {
  const path = join(folder, postsFolder);
  const names = existsSync(path) ? readdirSync(path) : [];
  return names
    .map(name => `${postsFolder}/${name}`)
    .filter(isPostFile)
    .toSorted()
    .reverse();
}
