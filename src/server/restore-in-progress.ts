import { reapplyOptOuts } from '../domain/backup/reapply-opt-outs.ts';
import { replayErasures } from '../domain/backup/replay-erasures.ts';
import { nameSubscriber } from '../domain/newsletter/pseudonym.ts';
import { createAuditPseudonyms } from '../domain/privacy/pseudonym.ts';
import { systemClock } from '../lib/clock.ts';
import { createKeyedHash } from '../lib/keyed-hash.ts';
import { type Counts, readPostgres } from '../store/copy.ts';
import * as databases from '../store/restore.ts';
import { databaseFile } from '../store/sqlite.ts';
import type { AuditRow } from '../store/tables.ts';
import type { Config } from './config.ts';
import { createLedger } from './erasure-ledger.ts';
import { createProcessLog } from './wire.ts';

export { checkBackup } from '../store/backup.ts';
export { countRows } from '../store/copy.ts';
export { isPostgres } from '../store/restore.ts';

export type Target = Awaited<ReturnType<typeof openTarget>>;
export type Restored = Awaited<ReturnType<typeof restoreBackup>>;

/** Without wire(), which would make secrets that the backup brings. */
export function openTarget(config: Config, isForced: boolean, address = addressOf(config)) {
  return databases.openTarget(address, logged(config), isForced);
}

function addressOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ?? databaseFile(dataDir);
}

/** `ledger`: erasures that this machine remembers; `erasures`: those of another. */
type Input = { file: string; madeAt: string; ledger: readonly AuditRow[]; erasures: readonly AuditRow[] };

/** Prepared in a working copy and copied from there in one transaction: until that commits, nothing has changed. */
export async function restoreBackup(
  config: Config,
  { db }: Target,
  { file, madeAt, ledger, erasures }: Input,
) {
  await using copy = await databases.openWorkingCopy(file, config.dataDir, logged(config));
  const unconfirmed = await databases.markUnconfirmed(copy.db, systemClock.now().toISOString());
  const own = await databases.inspect(copy.db);
  const standing = await databases.inspect(db, madeAt);
  const remembered = [...standing.audit, ...ledger, ...erasures];
  await copy.privacy.record(remembered);
  // On the disk first: if this restore fails, the next one knows them.
  const known = [...own.audit, ...remembered].filter(({ action }) => action.startsWith('erase'));
  await createLedger(config.dataDir).append(without(known, ledger));

  const keys = createKeyedHash(own.secret ?? '');
  const other = standing.secret ?? own.secret;
  const namings = [keys, ...(other === own.secret ? [] : [createKeyedHash(other ?? '')])].map(
    createAuditPseudonyms,
  );
  const newsletter = { nameSubscriber: (key: string) => nameSubscriber(keys, key) };
  const deps = { ...copy, newsletter, namings };
  // An erasure that was running during the backup is in its audit, but not done.
  const isDone = own.audit.filter(({ done_at }) => Date.parse(done_at) < Date.parse(madeAt) - hourMs);
  const erased = await replayErasures(deps, without(known, isDone), own.addresses);
  const departed = await reapplyOptOuts(deps, standing.departures, { isSameKey: other === own.secret });
  return {
    ...{ madeAt, erased, unconfirmed, departed },
    counts: await databases.replaceTables(db, copy.db),
    corrections: standing.audit.filter(({ action, done_at }) => action === 'rectify' && done_at > madeAt)
      .length,
    areErasuresUnknown: remembered.length === 0,
    /** The backup is of another database, so who left since is unknown. */
    areDeparturesUnknown: standing.secret !== own.secret && own.addresses.length > 0,
  };
}

const hourMs = 3_600_000;

function without(entries: readonly AuditRow[], others: readonly AuditRow[]): AuditRow[] {
  const nameOf = ({ hash, action, done_at }: AuditRow) => JSON.stringify([hash, action, done_at]);
  const named = new Map(entries.map(row => [nameOf(row), row]));
  for (const row of others) named.delete(nameOf(row));
  return [...named.values()];
}

/** The source must have no other user: what it sends meanwhile would be sent twice. */
export async function copyDatabase(
  config: Config,
  from: string,
  { db }: Target,
  isForced: boolean,
): Promise<Counts> {
  if (databases.isPostgres(from)) {
    return readPostgres(
      from,
      logged(config),
      source => databases.replaceTables(db, source),
      source => databases.assertAlone(source, isForced),
    );
  }
  await using copy = await databases.openWorkingCopy(from, config.dataDir, logged(config), { isAlone: true });
  return await databases.replaceTables(db, copy.db);
}

function logged(config: Config): (error: Error) => void {
  const log = createProcessLog({ ...config, logLevel: 'error' });
  return error => log.error('database connection lost', { error: error.message });
}
