import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Copy } from '../../../tests/harness/process.ts';
import { plant } from '../plant.ts';

/** The copy talks to its database through drivers whose commits fail now and then; the product itself is unchanged. */
export function plantFailingDrivers(copy: Copy): void {
  for (const name of ['failing-sqlite.ts', 'failing-pg.ts', 'failing.ts']) {
    cpSync(join(import.meta.dirname, '../drivers', name), join(copy.folder, 'src/store', name));
  }
  const thread = 'src/store/sqlite-thread.ts';
  plant(
    copy,
    thread,
    "import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';",
    "import type { SQLInputValue, StatementSync } from 'node:sqlite';\nimport { DatabaseSync } from './failing-sqlite.ts';",
  );
  plant(copy, 'src/store/postgres.ts', "import pg from 'pg';", "import pg from './failing-pg.ts';");
}
