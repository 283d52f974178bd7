import { systemClock } from '../lib/clock.ts';
import { dumpedTables } from '../store/dumped-tables.ts';
import { migrationNames } from '../store/migrate.ts';
import { openTarget, type Target } from '../store/restore.ts';
import type { AuditRow } from '../store/tables.ts';
import type { Config } from './config.ts';
import { createProcessLog } from './wire.ts';

export { InUse } from '../store/restore.ts';
export type { AuditRow, Target };
export { systemClock };

/** What this version of the site can restore, known before any database is opened. */
export const known = { shapes: dumpedTables, migrations: migrationNames };

/** The configured database and nothing else: the whole of the site would make secrets that a backup brings. */
export function openForRestore(config: Config): Promise<Target> {
  const log = createProcessLog({ ...config, logLevel: 'error' });
  return openTarget({
    ...config,
    onError: error => log.error('database connection lost', { error: error.message }),
  });
}
