import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Visitors wait for as long as we do for whoever reads. */
const patienceMs = 200;
const pauseMs = 300;

/**
 * SQLite's log holds what stood in the pages before, until megabytes of others have come after it. False when somebody
 * reads for long, such as a backup, and so keeps it from being emptied: then it is tried again for as long as is said.
 */
export async function emptyLog(db: Kysely<Tables>, forMs = 0): Promise<boolean> {
  const until = performance.now() + forMs;
  for (;;) {
    if (await tryToEmpty(db)) return true;
    if (performance.now() >= until) return false;
    await wait(pauseMs);
  }
}

function tryToEmpty(db: Kysely<Tables>): Promise<boolean> {
  return db.connection().execute(async connection => {
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
    await sql`pragma busy_timeout = ${sql.lit(patienceMs)}`.execute(connection);
    try {
      const result = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection);
      return result.rows[0]?.busy === 0;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(rows[0]?.timeout ?? 5000)}`.execute(connection);
    }
  });
}
