import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { orMissing, syncFolder } from '../../lib/files.ts';
import { readSheet, replaceCells, type SheetRow } from './read-sheet.ts';

/** What becomes of a row: nothing, or it goes, or some of its cells get other words. */
export type Decision = 'keep' | 'remove' | ReadonlyMap<number, string>;

/** Its name beside the file: whoever holds it is the only one at work. */
const draftOf = (path: string) => `${path}.rewrite`;

/** Longer than a row takes to be written, or than a draft that grows stands still. */
const [longestWriteMs, oldestDraftMs, patienceMs] = [250, 30_000, 20_000];
const lookMs = 50;

/**
 * Changes or removes rows while a server may be adding others: a copy without them takes the file's place, and what was
 * added to the old file meanwhile is taken over. A writer that finds its file replaced looks for its row before it writes
 * it again, so nothing is lost and nothing is there twice. How many rows were touched; without any, the file is not.
 */
export async function rewriteFile(path: string, decide: (row: SheetRow) => Decision): Promise<number> {
  for (;;) {
    const real = await realpath(path).catch(orMissing);
    if (real === undefined) return 0;
    await using old = await open(real, 'r');
    if (!(await old.stat()).isFile()) return 0;
    const { upTo, changes } = await plan(old, decide);
    if (changes.length === 0) return 0;
    if (await replace(real, old, upTo, changes)) return changes.length;
  }
}

type Change = { start: number; end: number; bytes: Buffer };

/** What is torn at the end for longer than a write takes, nobody is writing any more: then it is a row as well. */
async function plan(file: FileHandle, decide: (row: SheetRow) => Decision) {
  for (;;) {
    const { size: upTo } = await file.stat();
    const changes: Change[] = [];
    let isWhole = true;
    for await (const row of readSheet(file, upTo)) {
      isWhole = row.isWhole;
      const decision = decide(row);
      if (decision !== 'keep') changes.push(await write(file, row, decision));
    }
    if (isWhole) return { upTo, changes };
    await wait(longestWriteMs);
    if ((await file.stat()).size === upTo) return { upTo, changes };
  }
}

async function write(
  file: FileHandle,
  { start, end }: SheetRow,
  decision: 'remove' | ReadonlyMap<number, string>,
): Promise<Change> {
  if (decision === 'remove') return { start, end, bytes: Buffer.alloc(0) };
  return { start, end, bytes: replaceCells(await readBytes(file, start, end), decision) };
}

/** False when somebody else has replaced the file meanwhile: then what was planned is of no use. */
async function replace(path: string, old: FileHandle, upTo: number, changes: Change[]): Promise<boolean> {
  const name = draftOf(path);
  await using draft = await openDraft(name);
  let taken = upTo;
  try {
    if (!(await isAt(path, old))) return false;
    await copyOwner(old, draft);
    let from = 0;
    for (const { start, end, bytes } of changes) {
      await copy(old, draft, from, start);
      if (bytes.length > 0) await draft.writeFile(bytes);
      from = end;
    }
    await copy(old, draft, from, upTo);
    await draft.sync();
    taken = await catchUp(old, upTo, draft);
    if (!(await isAt(path, old)) || !(await isAt(name, draft))) return false;
    await rename(name, path);
  } finally {
    // After the rename there is none of this name, unless it is another's.
    if (await isAt(name, draft)) await rm(name, { force: true });
  }
  await takeOver(old, taken, draft);
  await syncFolder(dirname(path));
  return true;
}

/** One that a killed process left behind is removed. */
async function openDraft(name: string): Promise<FileHandle> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await open(name, 'ax', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const found = await stat(name).catch(orMissing);
      if (found && Date.now() - found.mtimeMs > oldestDraftMs) await rm(name, { force: true });
      else if (performance.now() > until) throw inUse(name);
      else await wait(lookMs);
    }
  }
}

function inUse(name: string): Error {
  return Object.assign(new Error(`${name} is there: another process is at work on the file`), {
    code: 'EBUSY',
  });
}

const mostRounds = 20;

/**
 * Rows that were added while the draft was written: whoever is killed after the draft has taken the file's place must have
 * lost none. How far they were taken. A row that is not there as a whole is left for later.
 */
async function catchUp(old: FileHandle, from: number, draft: FileHandle): Promise<number> {
  let taken = from;
  for (let round = 0; round < mostRounds; round++) {
    const added = await readBytes(old, taken, (await old.stat()).size);
    if (!isWholeRows(added)) break;
    await draft.writeFile(added);
    await draft.sync();
    taken += added.length;
  }
  return taken;
}

/** By their quotes, of which a row has an even number. */
function isWholeRows(bytes: Buffer): boolean {
  const quotes = bytes.reduce((count, byte) => count + Number(byte === 0x22), 0);
  return bytes.at(-1) === 0x0a && quotes % 2 === 0;
}

/** Rows that were added to the old file after that, once nobody adds to it any more. */
async function takeOver(old: FileHandle, from: number, file: FileHandle): Promise<void> {
  let seen = (await old.stat()).size;
  for (let taken = from; ; ) {
    await wait(lookMs);
    const { size } = await old.stat();
    if (size === seen && size <= taken) return;
    // In one piece, so that no row of another writer comes between its parts.
    if (size === seen) {
      await file.writeFile(await readBytes(old, taken, size));
      await file.sync();
      taken = size;
    }
    seen = size;
  }
}

/** A command of the superuser must leave the file to whom it belongs. */
async function copyOwner(old: FileHandle, draft: FileHandle): Promise<void> {
  const { mode, uid, gid } = await old.stat();
  await draft.chmod(mode & 0o777);
  if (process.getuid?.() === 0) await draft.chown(uid, gid);
}

async function copy(from: FileHandle, to: FileHandle, start: number, end: number): Promise<void> {
  for (let at = start; at < end; at += chunk) {
    await to.writeFile(await readBytes(from, at, Math.min(end, at + chunk)));
  }
}

const chunk = 1 << 20;

async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}

async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const [there, here] = [await stat(path).catch(orMissing), await file.stat()];
  return there?.ino === here.ino && there.dev === here.dev;
}
