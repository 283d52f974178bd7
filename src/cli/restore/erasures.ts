import { existsSync } from 'node:fs';
import { type Checked, mergeAudit } from '../../domain/backup/restore-backup.ts';
import { type Ledger, readErasures } from '../../server/ledger.ts';
import type { AuditRow, Target } from '../../server/restoring.ts';
import { complain, explainFile } from '../complain.ts';
import { note } from '../say.ts';

/** Erasures that this machine remembers outside of its database, and those of the machine before. */
export async function gatherErasures(ledger: string, given: string | undefined): Promise<AuditRow[]> {
  const files = [...(existsSync(ledger) ? [ledger] : []), ...(given === undefined ? [] : [given])];
  const lists = await Promise.all(files.map(readOrComplain));
  return mergeAudit(...lists);
}

async function readOrComplain(file: string): Promise<AuditRow[]> {
  const { rows, unreadable } = await readErasures(file).catch(error =>
    complain(`${file} cannot be read: ${explainFile(error)}. Nothing was changed.`),
  );
  // What cannot be read may be somebody who was promised to be forgotten.
  if (rows.length === 0 && unreadable > 0) complain(`${file} is no list of erasures. Nothing was changed.`);
  if (unreadable > 0) note(`${file}: ${unreadable} damaged lines were left out, so erasures may be missing.`);
  return rows;
}

/** Whatever is known of erasures from anywhere outlives the database that is about to go. */
export async function keepErasures(
  ledger: Ledger,
  { audit }: Checked,
  standing: Awaited<ReturnType<Target['look']>>,
  remembered: readonly AuditRow[],
): Promise<void> {
  const here = existsSync(ledger.place) ? mergeAudit((await readErasures(ledger.place)).rows) : [];
  const all = mergeAudit(here, audit, standing.audit, remembered);
  const missing = all.slice(here.length).filter(({ action }) => action.startsWith('erase'));
  if (missing.length > 0) await ledger.append(missing);
}
