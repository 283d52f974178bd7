import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { editFile, hashText, readFields } from '../../core/content/editing/edit-file.ts';
import type { SaveRequest } from '../../core/content/editing/save-changes.ts';
import { toSlug } from '../../core/content/prose.ts';
import { isPostFile, postsFolder, reservedSlugs } from './read-post.ts';

/** The file of a post begins with its date. */
export function nameByDate(file: string, { date }: Record<string, unknown>): string {
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
