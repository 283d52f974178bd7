import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { isSqlite } from './query-helpers.ts';
import type { Tables } from './tables.ts';

const checkpointTimeoutMs = 200;
const pauseMs = 300;

/** SQLite's WAL holds deleted rows until it is truncated. False when a long read, such as a backup, prevents it. */
export async function truncateWal(db: Kysely<Tables>, timeoutMs = 0): Promise<boolean> {
  if (!isSqlite(db)) return true;
  const until = performance.now() + timeoutMs;
  for (;;) {
    if (await tryToTruncate(db)) return true;
    if (performance.now() >= until) return false;
    await wait(pauseMs);
  }
}

function tryToTruncate(db: Kysely<Tables>): Promise<boolean> {
  return db.connection().execute(async connection => {
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
    await sql`pragma busy_timeout = ${sql.lit(checkpointTimeoutMs)}`.execute(connection);
    try {
      const result = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(connection);
      return result.rows[0]?.busy === 0;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(rows[0]?.timeout ?? 5000)}`.execute(connection);
    }
  });
}
