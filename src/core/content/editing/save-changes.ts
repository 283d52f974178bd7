import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from '../../file-lock.ts';
import { undefinedIfMissing, writeFileAtomically } from '../../files.ts';
import type { ContentError } from '../content-error.ts';
import type { ContentPart } from '../content-part.ts';
import type { Change, ChangedFile } from './change.ts';
import { createChangeCopies } from './change-copies.ts';
import { type FileChanges, type FindMoreErrors, findChangeErrors } from './check-changes.ts';
import { revertLines } from './compare-lines.ts';
import { hashText } from './edit-file.ts';
import { createGitChanges } from './git-changes.ts';

export type SaveRequest = {
  changes: FileChanges;
  /** Of each file as it was read, so that a change made meanwhile is not overwritten; hashText(undefined) for a new file. */
  hashes: Record<string, string>;
  summary: string;
};

export type SaveResult =
  | { state: 'saved'; id: string; draftErrors: ContentError[] }
  | { state: 'unchanged'; draftErrors: ContentError[] }
  | { state: 'refused'; errors: ContentError[] }
  | { state: 'changed-meanwhile'; files: string[] }
  | Failed;

type Failed = { state: 'failed'; reason: string };

export type UndoResult = SaveResult | { state: 'unknown' } | { state: 'changed-again'; files: string[] };

export type ContentEditor = ReturnType<typeof createContentEditor>;

/** Saves changes of content/ and remembers them: in git, else as copies in the history folder. */
export function createContentEditor(
  parts: readonly ContentPart[],
  folder: string,
  historyFolder: string,
  { now = () => new Date(), findMore }: { now?: () => Date; findMore?: FindMoreErrors } = {},
) {
  const copies = createChangeCopies(historyFolder);
  const git = createGitChanges(folder);
  const read = (file: string) => readFile(join(folder, file)).catch(undefinedIfMissing);

  async function saveLocked({ changes, hashes, summary }: SaveRequest): Promise<SaveResult> {
    const present = await Promise.all(
      [...changes].map(
        async ([file, content]): Promise<ChangedFile> => ({
          file,
          before: (await read(file)) ?? null,
          after: content === null ? null : Buffer.from(content),
        }),
      ),
    );
    const newer = present.filter(({ file, before }) => hashes[file] !== hashText(before ?? undefined));
    if (newer.length > 0) return { state: 'changed-meanwhile', files: newer.map(({ file }) => file) };
    const files = present.filter(({ before, after }) => !isSame(before, after));
    const { errors, draftErrors } = findChangeErrors(parts, folder, changes, findMore);
    if (errors.length > 0) return { state: 'refused', errors };
    if (files.length === 0) return { state: 'unchanged', draftErrors };
    // Checking takes a moment, in which another program may have written.
    for (const { file, before } of present)
      if (!isSame((await read(file)) ?? null, before)) return { state: 'changed-meanwhile', files: [file] };
    const at = now().toISOString();
    const id = `${at.replaceAll(':', '-')}-${randomBytes(6).toString('hex')}`;
    const failure = await write({ id, at, summary, files });
    return failure ? { state: 'failed', reason: failure } : { state: 'saved', id, draftErrors };
  }

  /** The copy comes first: it finishes a change that is interrupted, and undoes one that is killed before its commit. */
  async function write(change: Change): Promise<string | undefined> {
    try {
      await git.commitOutsideEdits(change);
      await copies.begin(change);
      await apply(change.files);
      await copies.complete(change.id);
    } catch (error) {
      const undone = change.files.map(({ file, before, after }) => ({ file, before: after, after: before }));
      const isUndone = await applyToUnchanged(undone)
        .then(copies.abandon)
        .then(
          () => true,
          () => false,
        );
      const reason = describeFailure(error as NodeJS.ErrnoException);
      return isUndone ? reason : `${reason} The change will be saved once that is mended.`;
    }
    await commit(change);
    return undefined;
  }

  /** New text is written before anything is deleted. */
  async function apply(files: readonly ChangedFile[]): Promise<void> {
    for (const { file, after } of files.toSorted((one, other) => +!one.after - +!other.after)) {
      const path = join(folder, file);
      await mkdir(dirname(path), { recursive: true });
      await (after ? writeFileAtomically(path, after) : rm(path, { force: true }));
    }
  }

  /** Without the files that are already changed, or that another program has changed meanwhile. */
  async function applyToUnchanged(files: readonly ChangedFile[]): Promise<void> {
    const present = await Promise.all(files.map(({ file }) => read(file)));
    await apply(files.filter(({ before }, index) => isSame(present[index] ?? null, before)));
  }

  async function commit(change: Change): Promise<void> {
    if (await git.commit(change)) await copies.remove(change.id);
  }

  /** A process was killed while it wrote several files: those that are still as before are written now. */
  async function finishInterrupted(): Promise<void> {
    const change = await copies.getInterrupted();
    if (!change) return;
    await applyToUnchanged(change.files);
    await copies.complete(change.id);
    await commit(change);
  }

  /** A lock or a file that the disk refuses is a failure to show; anything else is a bug. */
  async function locked<T>(work: () => Promise<T>): Promise<T | Failed> {
    try {
      return await withFileLock(join(historyFolder, 'lock'), async () => {
        await finishInterrupted();
        return work();
      });
    } catch (error) {
      if (!(error as NodeJS.ErrnoException).code) throw error;
      return { state: 'failed', reason: describeFailure(error as NodeJS.ErrnoException) };
    }
  }

  async function undoLocked(id: string): Promise<UndoResult> {
    const change = (await copies.get(id)) ?? (await git.get(id));
    if (!change) return { state: 'unknown' };
    const changes = new Map<string, Buffer | string | null>();
    const hashes: Record<string, string> = {};
    const conflicts: string[] = [];
    for (const { file, before, after } of change.files) {
      const present = (await read(file)) ?? null;
      hashes[file] = hashText(present ?? undefined);
      const restored = isSame(present, after) ? before : revert(present, before, after);
      if (restored === undefined) conflicts.push(file);
      else changes.set(file, restored);
    }
    if (conflicts.length > 0) return { state: 'changed-again', files: conflicts };
    return saveLocked({ changes, hashes, summary: `Undo: ${change.summary.replace(/^Undo: /, '')}` });
  }

  return {
    folder,
    /** To be called when the desk starts; each save begins with it too. What could not be written stays for the next one. */
    async finishInterrupted(): Promise<Failed | { state: 'finished'; summary: string } | undefined> {
      try {
        const change = await copies.getInterrupted();
        return change && (await locked(async () => ({ state: 'finished', summary: change.summary })));
      } catch (error) {
        return { state: 'failed', reason: describeFailure(error as NodeJS.ErrnoException) };
      }
    },
    save: (request: SaveRequest) => locked(() => saveLocked(request)),
    undo: (id: string) => locked(() => undoLocked(id)),
    usesGit: () => git.isRepository(),
    /** `isCommit`: kept by git, and not as a copy. */
    async listChanges(count: number): Promise<(Change & { isCommit: boolean })[]> {
      const all = [
        ...(await copies.list(count)).map(one => ({ ...one, isCommit: false })),
        ...(await git.list(count)).map(one => ({ ...one, isCommit: true })),
      ];
      return all.toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, count);
    },
  };
}

function revert(
  present: Buffer | null,
  before: Buffer | null,
  after: Buffer | null,
): Buffer | string | null | undefined {
  if (isSame(present, before)) return before;
  return present && before && after
    ? revertLines(present.toString(), before.toString(), after.toString())
    : undefined;
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one && other ? one.equals(other) : one === other;
}

function describeFailure({ code = '', message }: NodeJS.ErrnoException): string {
  return reasons[code] ?? `A file could not be read or written (${code || message}).`;
}

const reasons: Record<string, string> = {
  EACCES: 'This user may not write to the content folder.',
  EPERM: 'This user may not write to the content folder.',
  EROFS: 'The disk is read-only.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
};
