import { open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { orMissing } from '../../lib/files.ts';
import { formulaSafe, safeWithin } from '../../lib/formula-safe.ts';
import {
  type Copy,
  type CopyErasure,
  type CopyExpiry,
  type CopySearch,
  holdsReference,
  isAfter,
  isBefore,
  mayHold,
} from '../copies.ts';
import { readSheet, type SheetRow } from './read-sheet.ts';
import { type Decision, rewriteFile } from './rewrite-file.ts';

/** Copies in `messages.csv`, which may be there from before a service took its place. */
export function createSheetCopies(dataDir: string) {
  const path = join(dataDir, 'messages.csv');
  /** The file as it was when nothing in it was too old, and the oldest time in it. */
  let known: { ino: number; size: number; oldest: string; day: string } | undefined;

  async function* read(): AsyncGenerator<SheetRow> {
    await using file = await open(path).catch(orMissing);
    const found = await file?.stat();
    if (file && found?.isFile()) yield* readSheet(file, found.size);
  }

  /** What was torn off it, and drafts: each by its bytes, for its cells may be no longer whole. */
  async function listRemains(search: CopySearch): Promise<string[]> {
    const names = await readdir(dirname(path)).catch(orMissing);
    const found: string[] = [];
    for (const name of names ?? []) {
      if (!isRemains(name)) continue;
      const text = await readFile(join(dataDir, name), 'utf8').catch(orMissing);
      const isOne = text && (search.mentions(text) || holdsReference(text, search.references));
      if (isOne) found.push(join(dataDir, name));
    }
    return found;
  }

  return {
    isOurs: (place: string) =>
      place === path || (dirname(place) === dirname(path) && isRemains(basename(place))),
    async find(search: CopySearch): Promise<Copy[]> {
      const copies: Copy[] = [];
      for await (const row of (await mayHold(path, search)) ? read() : []) {
        const isTheirs = isTheirRow(row, search);
        if (!isTheirs && !row.cells.some(search.mentions)) continue;
        const { reference } = row;
        copies.push({ kind: 'row', place: path, reference, at: row.cell('Received') ?? '', isTheirs });
      }
      for (const place of await listRemains(search)) {
        copies.push({ kind: 'remains', place, reference: '', at: '', isTheirs: false });
      }
      return copies;
    },

    async erase(erasure: CopyErasure): Promise<{ rows: number; redacted: number; remains: number }> {
      let [rows, redacted] = [0, 0];
      await rewriteFile(path, row => {
        const decision = judge(row, erasure);
        if (decision === 'remove') rows++;
        else if (decision !== 'keep') redacted++;
        return decision;
      });
      const remains = await listRemains(erasure);
      for (const place of remains) await rm(place, { force: true });
      return { rows, redacted, remains: remains.length };
    },

    /** How many rows there were of these messages. */
    rectify: (references: ReadonlySet<string>, change: { name?: string; email?: string }) =>
      rewriteFile(path, row => {
        if (!references.has(row.reference)) return 'keep';
        const cells = new Map<number, string>();
        for (const [column, words] of [
          ['Name', change.name],
          ['Email', change.email],
        ] as const) {
          const index = row.indexOf(column);
          if (words !== undefined && index >= 0) cells.set(index, safeWithin(formulaSafe(words)));
        }
        return cells.size > 0 ? cells : 'keep';
      }),

    /** Read through only when something may have become too old, and once a day, for its owner may edit it. */
    async expire({ references, before }: CopyExpiry): Promise<number> {
      const day = (before ?? '').slice(0, 10);
      const now = await statOf(path);
      if (!now) return 0;
      const isAsKnown = known?.ino === now.ino && known.size <= now.size && known.day === day;
      const isYoung = before === undefined || (isAsKnown && !isBefore(known?.oldest ?? '', before));
      if (references.size === 0 && isYoung) return 0;
      let oldest = '9999';
      const removed = await rewriteFile(path, row => {
        const at = row.cell('Received') ?? '';
        if (references.has(row.reference) || isBefore(at, before)) return 'remove';
        if (at && at < oldest) oldest = at;
        return 'keep';
      });
      const left = await statOf(path);
      known = left && { ...left, oldest, day };
      return removed;
    },
  };
}

/** Names that we give ourselves. A copy that the owner made of the file is the owner's, and not taken for one of these. */
function isRemains(name: string): boolean {
  return /^messages\.csv\.(torn|rewrite|[0-9a-f-]{36}\.new)$/.test(name);
}

function judge(row: SheetRow, erasure: CopyErasure): Decision {
  const { cells, cell, reference } = row;
  if (erasure.references.has(reference)) return 'remove';
  if (isAfter(cell('Received') ?? '', erasure.upTo)) return 'keep';
  if (isTheirRow(row, erasure)) return 'remove';
  const redacted = cells.flatMap((words, index): [number, string][] =>
    erasure.mentions(words) ? [[index, erasure.redact(words)]] : [],
  );
  return redacted.length > 0 ? new Map(redacted) : 'keep';
}

/** By the message, or by the address in the column for it: an apostrophe may keep it from being a formula. */
function isTheirRow({ reference, cell }: SheetRow, { references, isTheirs }: CopySearch): boolean {
  const email = cell('Email') ?? '';
  return references.has(reference) || isTheirs(email) || isTheirs(email.replace(/^'/, ''));
}

async function statOf(path: string) {
  await using file = await open(path).catch(orMissing);
  const found = await file?.stat();
  return found && { ino: found.ino, size: found.size };
}
