import type { Database } from '../../core/database/open-store.ts';
import type { ErasureLogRow } from '../../core/database/tables.ts';
import { createHmacSigner } from '../../core/hmac.ts';
import type {
  Counts,
  PersonalData,
  PersonalDataCore,
  ReplacedDatabase,
  RestoreReport,
} from '../../core/personal-data.ts';
import { createErasureFile, createErasureHasher, createErasureTable } from './erasure-log.ts';
import { replayErasures } from './replay-erasures.ts';

type ReconcileDeps = {
  /** What is restored, as a working copy. */
  backup: Database;
  replaced: Database;
  features: readonly PersonalData[];
  core: Omit<PersonalDataCore, 'database' | 'permanentHmac'>;
};

export type ReconcileInput = {
  createdAt: string;
  /** Lines of the erasure log beside the database, and of another machine's. */
  logFile: readonly ErasureLogRow[];
  otherLogFile: readonly ErasureLogRow[];
};

export type Reconciled = {
  erased: Counts;
  corrections: number;
  areErasuresUnknown: boolean;
  reports: RestoreReport[];
};

/** What was erased and what features know of people since the backup was made applies to it, too. */
export async function reconcileBackup(
  { backup, replaced, features, core: parts }: ReconcileDeps,
  { createdAt, logFile, otherLogFile }: ReconcileInput,
): Promise<Reconciled> {
  const [before, current] = [await readLog(backup), await readLog(replaced)];
  const currentErasures = [...current.rows, ...logFile, ...otherLogFile];
  const table = createErasureTable(backup.db);
  await table.record(currentErasures);
  // The file on the disk comes first: if this restore fails, the next one knows the erasures.
  const known = [...before.rows, ...currentErasures].filter(({ action }) => action.startsWith('erase'));
  const file = createErasureFile(parts.config.dataDir);
  await file.append(subtract(known, logFile));

  const hmac = createHmacSigner(before.secret ?? '');
  const isSameKey = current.secret === undefined || current.secret === before.secret;
  const hasher = createErasureHasher(hmac);
  const hashers = isSameKey
    ? [hasher]
    : [hasher, createErasureHasher(createHmacSigner(current.secret ?? ''))];
  const core = { ...parts, database: backup, permanentHmac: hmac };
  const personalData = features.map(({ createSteps }) => createSteps(core));
  // An erasure that was running during the backup is in its log, but not done.
  const done = before.rows.filter(({ done_at }) => Date.parse(done_at) < Date.parse(createdAt) - hourMs);
  const deps = { personalData, outbox: backup.outbox, erasureLog: { ...table, ...hasher }, hashers };
  const erased = await replayErasures(deps, subtract(known, done));
  const secret = current.secret === undefined ? 'none' : isSameKey ? 'same' : 'other';
  const reports = await reportEach(features, core, { database: replaced, since: createdAt, secret });
  return {
    erased,
    corrections: current.rows.filter(({ action, done_at }) => action === 'rectify' && done_at > createdAt)
      .length,
    areErasuresUnknown: currentErasures.length === 0,
    reports,
  };
}

async function reportEach(
  features: readonly PersonalData[],
  core: PersonalDataCore,
  replaced: ReplacedDatabase,
): Promise<RestoreReport[]> {
  const reports: RestoreReport[] = [];
  for (const { afterRestore } of features) if (afterRestore) reports.push(await afterRestore(core, replaced));
  return reports;
}

async function readLog({ db, secrets }: Database) {
  return {
    rows: await db.selectFrom('audit').selectAll().execute(),
    secret: await secrets.get('newsletter'),
  };
}

const hourMs = 3_600_000;

function subtract(entries: readonly ErasureLogRow[], others: readonly ErasureLogRow[]): ErasureLogRow[] {
  const identify = ({ hash, action, done_at }: ErasureLogRow) => JSON.stringify([hash, action, done_at]);
  const remaining = new Map(entries.map(row => [identify(row), row]));
  for (const row of others) remaining.delete(identify(row));
  return [...remaining.values()];
}
