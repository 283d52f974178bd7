import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { splitBatches } from '../../core/database/query-helpers.ts';
import { type ErasureLogRow, erasureLogActions, type Tables } from '../../core/database/tables.ts';
import { makeFolder, syncFolder } from '../../core/files.ts';
import type { HmacSigner } from '../../core/hmac.ts';
import type { ErasureLog } from '../../core/personal-data.ts';
import { foldAddress } from '../../lib/email-address.ts';

export type ErasureHasher = ReturnType<typeof createErasureHasher>;

type LogDeps = { db: Kysely<Tables>; dataDir: string; hmac: HmacSigner };

/** What was erased, corrected and exported, and when, as keyed hashes: in a table, and erasures in a file beside the database as well. */
export function createErasureLog({ db, dataDir, hmac }: LogDeps): ErasureLog {
  return { ...createErasureFile(dataDir), ...createErasureHasher(hmac), ...createErasureTable(db) };
}

export function createErasureHasher(hmac: HmacSigner) {
  return {
    hashAddress: (address: string) => hmac.sign('erased address', foldAddress(address)),
    hashReference: (reference: string) => hmac.sign('erased message', reference),
  };
}

export function createErasureTable(db: Kysely<Tables>) {
  return {
    async record(rows: readonly ErasureLogRow[]): Promise<void> {
      for (const part of splitBatches(rows, 500)) {
        await db
          .insertInto('audit')
          .values(part)
          .onConflict(conflict => conflict.columns(['hash', 'action', 'done_at']).doNothing())
          .execute();
      }
    },
    list: (hash: string): Promise<ErasureLogRow[]> =>
      db
        .selectFrom('audit')
        .selectAll()
        .where('hash', '=', hash)
        .orderBy('done_at')
        .orderBy('action')
        .execute(),
  };
}

/** No backup restores this file, so that an older backup does not bring anything back. */
export function createErasureFile(dataDir: string) {
  const path = join(dataDir, 'erasures.ndjson');
  return {
    path,
    async append(rows: readonly ErasureLogRow[]): Promise<void> {
      if (rows.length === 0) return;
      await makeFolder(dataDir);
      await using file = await open(path, 'a+', 0o600);
      const lines = rows.map(row => `${JSON.stringify(row)}\n`).join('');
      await file.writeFile((await isTorn(file)) ? `\n${lines}` : lines);
      await file.sync();
      await syncFolder(dataDir);
    },
  };
}

async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

/** A process killed while it writes leaves a torn last line, whose erasure was not acknowledged: it does not count as damaged. */
export async function readErasures(file: string) {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const torn = lines.pop();
  const rows = lines.filter(Boolean).map(parseErasure);
  const last = torn ? parseErasure(torn) : undefined;
  const readable = [...rows, last].filter(row => row !== undefined);
  return { rows: readable, unreadable: rows.filter(row => row === undefined).length };
}

function parseErasure(line: string): ErasureLogRow | undefined {
  try {
    const row = JSON.parse(line) as Record<keyof ErasureLogRow, unknown> | null;
    const values = [row?.hash, row?.action, row?.done_at, row?.counts];
    const isRow = values.every(value => typeof value === 'string' && !value.includes('\0'));
    return isRow && erasureLogActions.some(action => action === row?.action)
      ? (row as ErasureLogRow)
      : undefined;
  } catch {
    return undefined;
  }
}
