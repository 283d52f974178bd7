import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ContentError } from '../content-error.ts';
import { type ContentPart, listFolders } from '../content-part.ts';
import { readSite } from '../read-site.ts';
import { readTextFile } from '../text-file.ts';
import { readFields } from './edit-file.ts';

/** The new content of files of content/; null deletes one. */
export type FileChanges = ReadonlyMap<string, string | Uint8Array | null>;

/** Hands over a copy of content/ with the changes, and deletes it afterwards. */
export function withChangedCopy<T>(folder: string, changes: FileChanges, use: (copy: string) => T): T {
  const copy = mkdtempSync(join(tmpdir(), 'wardhouse-content-'));
  try {
    // Not links: a change would be written through them.
    cpSync(realpathSync(folder), copy, { recursive: true, dereference: true });
    for (const [file, content] of changes) {
      const path = join(copy, file);
      mkdirSync(dirname(path), { recursive: true });
      if (content === null) rmSync(path, { force: true });
      else writeFileSync(path, content);
    }
    return use(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

export type ChangeErrors = {
  /** Those of the changed files, and those that the change causes in others. */
  errors: ContentError[];
  /** Those of a changed draft, which may be saved before it is complete. */
  draftErrors: ContentError[];
};

/** Errors of these files that are found beyond their schemas, such as dead links. */
export type FindMoreErrors = (folder: string, files: readonly string[]) => ContentError[];

export function findChangeErrors(
  parts: readonly ContentPart[],
  folder: string,
  changes: FileChanges,
  findMore: FindMoreErrors = () => [],
): ChangeErrors {
  const describe = ({ file, field, reason }: ContentError) => `${file} ${field} ${reason}`;
  return withChangedCopy(folder, changes, copy => {
    const found = readSite(parts, copy).errors;
    const isElsewhere = ({ file }: ContentError) => !changes.has(file);
    const before = found.some(isElsewhere) ? readSite(parts, folder).errors.map(describe) : [];
    const errors = found.filter(error => !isElsewhere(error) || !before.includes(describe(error)));
    const isEntry = (file: string) => listFolders(parts).some(({ hasFile }) => hasFile(file));
    const hasEntry = [...changes.keys()].some(isEntry);
    const inDrafts = hasEntry ? readSite(parts, copy, { isPreview: true }).errors : [];
    const known = found.map(describe);
    const draftErrors = inDrafts.filter(error => !isElsewhere(error) && !known.includes(describe(error)));
    const changed = [...changes].flatMap(([file, content]) => (content === null ? [] : [file]));
    const more = findMore(copy, changed);
    const isDraft = ({ file }: ContentError) => isMarkedDraft(copy, file);
    return {
      errors: [...errors, ...more.filter(error => !isDraft(error))],
      draftErrors: [...draftErrors, ...more.filter(isDraft)],
    };
  });
}

function isMarkedDraft(folder: string, file: string): boolean {
  const { text = '' } = readTextFile(join(folder, file));
  return readFields(file, text)?.draft === true;
}
