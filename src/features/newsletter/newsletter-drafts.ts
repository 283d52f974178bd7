import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { editFile, hashText, readFields } from '../../core/content/editing/edit-file.ts';
import { readTextFile } from '../../core/content/text-file.ts';
import { issueName } from './read-newsletter-issue.ts';

export type DraftFields = { subject: string; preview: string; body: string };

export type NewsletterDraft = {
  name: string;
  file: string;
  changedAt: string;
  hash: string;
  /** Undefined where the file was edited by hand and cannot be read. */
  fields: DraftFields | undefined;
  /** The line of the file on which the body begins. */
  bodyLine: number;
};

export type NewsletterDrafts = ReturnType<typeof createNewsletterDrafts>;

/** Issues that are being written: one Markdown file each, which `npm run newsletter` can send as well. */
export function createNewsletterDrafts(folder: string) {
  const getFile = (name: string) => join(folder, `${name}.md`);

  function read(name: string): NewsletterDraft | undefined {
    if (!issueName.test(name)) return undefined;
    const file = getFile(name);
    const { text } = readTextFile(file);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return undefined;
    const changedAt = found.mtime.toISOString();
    if (text === undefined) return { name, file, changedAt, hash: '', fields: undefined, bodyLine: 1 };
    const { subject, preview, body } = readFields(file, text) ?? {};
    const fields =
      typeof body === 'string'
        ? { subject: toText(subject), preview: toText(preview), body: body.trimEnd() }
        : undefined;
    const bodyLine = text.slice(0, Math.max(text.lastIndexOf(fields?.body ?? ''), 0)).split('\n').length;
    return { name, file, changedAt, hash: hashText(text), fields, bodyLine };
  }

  return {
    read,
    list: (): NewsletterDraft[] =>
      listNames(folder)
        .flatMap(name => read(name) ?? [])
        .sort((one, other) => other.changedAt.localeCompare(one.changedAt)),

    /** `hash` is of the text that was edited: undefined where it has been changed since. */
    save(name: string, fields: DraftFields, hash: string): NewsletterDraft | undefined {
      const { text } = readTextFile(getFile(name));
      const isNew = !statSync(getFile(name), { throwIfNoEntry: false });
      if (!isNew && (text === undefined || hashText(text) !== hash)) return undefined;
      const { preview, ...others } = fields;
      const body = `${others.body.trimEnd()}\n`;
      const present = text ?? '---\nsubject: Subject\n---\n\n';
      writeFile(
        folder,
        getFile(name),
        editFile(getFile(name), present, { ...others, ...(preview && { preview }), body }),
      );
      return read(name);
    },

    remove(name: string): void {
      if (issueName.test(name)) rmSync(getFile(name), { force: true });
    },
  };
}

/** Such as 2026-11-three-things, and from the second of that name 2026-11-three-things-2. */
export function createIssueName(subject: string, month: string, number: number): string {
  const words = subject
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['issue'];
  const name = `${month}-${words.join('-')}`.slice(0, 55).replace(/-+$/, '');
  return number === 1 ? name : `${name}-${number}`;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.md'))
      .map(name => name.slice(0, -'.md'.length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function toText(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

/** Written beside it and renamed: a process that is killed leaves the earlier text whole. */
function writeFile(folder: string, file: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.part`;
  const handle = openSync(unfinished, 'w', 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, file);
}
