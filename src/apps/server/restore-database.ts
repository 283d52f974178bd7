import { systemClock } from '../../core/clock.ts';
import { contentFolder } from '../../core/content/content-folder.ts';
import { type RowCounts, readPostgres } from '../../core/database/copy-tables.ts';
import * as databases from '../../core/database/restore.ts';
import { databaseFile } from '../../core/database/sqlite.ts';
import { randomIds } from '../../core/ids.ts';
import { loadPersonalData } from '../../core/personal-data.ts';
import { createProcessLog } from '../../core/process-log.ts';
import { type ReconcileInput, reconcileBackup } from '../../features/privacy/reconcile-backup.ts';
import { features } from '../../features.ts';
import type { Config } from './config.ts';

export { readBackupTime } from '../../core/database/backup.ts';
export { countAllTables } from '../../core/database/copy-tables.ts';
export { isPostgres } from '../../core/database/restore.ts';

export const droppedKinds = features.flatMap(({ droppedByRestore = [] }) => droppedByRestore);

export type Target = Awaited<ReturnType<typeof openTarget>>;
export type Restored = Awaited<ReturnType<typeof restoreBackup>>;

/** Not by wire(), which would create secrets that the backup contains. */
export function openTarget(
  config: Config,
  isForced: boolean,
  location = config.databaseUrl ?? databaseFile(config.dataDir),
) {
  return databases.openTarget(location, logConnectionError(config), isForced);
}

type Input = { file: string } & ReconcileInput;

/** Prepared in a working copy and copied from there in one transaction: until that commits, nothing has changed. */
export async function restoreBackup(config: Config, { db, database }: Target, { file, ...known }: Input) {
  await using copy = await databases.openWorkingCopy(file, config.dataDir, logConnectionError(config));
  const now = systemClock.now().toISOString();
  const { dropped, sentAgain } = await databases.resetUnfinishedDeliveries(copy.db, droppedKinds, now);
  const unfinished = { ...dropped, messages: sentAgain };
  const reconciled = await reconcileBackup(
    {
      backup: copy.database,
      replaced: database,
      features: await loadPersonalData(features),
      core: createRestoringCore(config),
    },
    known,
  );
  const counts = await databases.replaceTables(db, copy.db);
  return { createdAt: known.createdAt, unfinished, ...reconciled, counts };
}

/** Nothing is sent, and no file is changed. */
function createRestoringCore(config: Config) {
  return {
    config,
    clock: systemClock,
    ids: randomIds,
    log: createProcessLog({ ...config, logLevel: 'error' }),
    wake: () => undefined,
    findContent: () => contentFolder,
    copies: { expire: async () => ({ rows: 0, mails: 0 }), expireMails: async () => undefined },
    copyTargets: { destinations: new Map(), local: new Set<string>(), mailServer: undefined },
  };
}

/** The source must have no other user, or its deliveries would be made twice. */
export async function copyDatabase(
  config: Config,
  from: string,
  { db }: Target,
  isForced: boolean,
): Promise<RowCounts> {
  if (databases.isPostgres(from)) {
    return readPostgres(
      from,
      logConnectionError(config),
      source => databases.replaceTables(db, source),
      source => databases.assertNoOtherClients(source, isForced),
    );
  }
  await using copy = await databases.openWorkingCopy(from, config.dataDir, logConnectionError(config), {
    isExclusive: true,
  });
  return await databases.replaceTables(db, copy.db);
}

function logConnectionError(config: Config): (error: Error) => void {
  const log = createProcessLog({ ...config, logLevel: 'error' });
  return error => log.error('database connection lost', { error: error.message });
}
